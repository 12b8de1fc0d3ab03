//! `pdn serve`: who may ask for what, what is answered, and what clients cannot do.

mod access;
mod attacks;
mod calls;
mod client;
mod limits;
mod program;
mod tables;
