//! Records of other programs: samples, damage, real files, and hostile input.

mod damage;
mod own;
mod real;
mod round_trip;
mod samples;
