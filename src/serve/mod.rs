//! The application for browsers with native speed: a folder of records over HTTP, for this machine or for a network.
//!
//! Pages get the files of the application, and call the functions of `calls`; answers stream while threads make them. A
//! request must name this server, come from its own page and have the cookie of a session, which a browser gets for the token in
//! the first address or for a password. All limits (sizes, times, numbers of works and connections) are constants beside what they limit.

mod access;
mod answer;
mod assets;
mod folder;
mod host;
#[expect(clippy::result_large_err, reason = "a refusal is an answer too")]
mod requests;
mod session;
mod tables;
mod work;

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, ToSocketAddrs as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::task::AbortHandle;

use self::access::{Access, PublicUrl};
use self::folder::Folder;
use self::host::NativeHost;
use self::requests::{Connection, Shared, answered};
use self::tables::Tables;
use self::work::Thinkers;
use crate::egdb::Databases;
use crate::error::{Error, Result};
use crate::link::EngineSpec;
#[cfg(feature = "cli")]
use crate::options::{ADVANCED, parse_memory};
use crate::shared::lock;

/// Time for the head of a request, also for that of the next one on a connection.
const HEAD_TIME: Duration = Duration::from_secs(15);

/// Bytes of a head at most.
const LARGEST_HEAD: usize = 32 << 10;

/// Connections at the same time; systems let a program have a thousand files.
const MOST_CONNECTIONS: usize = 400;

/// How a folder is served. By default only this machine can reach it, at a free port, and nothing is written.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct ServeOptions {
    /// Address and port to listen at, for other machines [default: a free port of this machine]
    // Such as `192.168.1.20:8080` or `club.local:8080`. Port 0 is any free one.
    #[cfg_attr(feature = "cli", arg(long, value_name = "ADDRESS"))]
    pub listen: Option<String>,
    /// Address under which a proxy answers for this server: its scheme and host
    #[cfg_attr(feature = "cli", arg(long, value_name = "URL"))]
    pub public_url: Option<String>,
    /// A password that people are asked for, which other machines need.
    // Not an option: other users of a machine can see those.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub password: Option<String>,
    /// Allow pages to save records in the folder
    #[cfg_attr(feature = "cli", arg(long))]
    pub write: bool,
    /// Folder for tables of the positions in large files, which answer questions about positions without reading the games
    /// [default: a folder `pdn/positions` in the user's cache]
    // They are made when they are first needed; without a folder, the games are read for each question.
    #[cfg_attr(feature = "cli", arg(long, value_name = "DIR", help_heading = ADVANCED))]
    pub cache: Option<PathBuf>,
    /// Maximum size of all tables together; beyond it, the oldest ones are deleted [default: 2GB]
    #[cfg_attr(feature = "cli", arg(long, value_name = "SIZE", value_parser = parse_memory, help_heading = ADVANCED))]
    pub cache_size: Option<u64>,
    /// Command line of a Hub engine to analyse and annotate with, instead of the built-in one
    #[cfg_attr(feature = "cli", arg(long, value_name = "CMD"))]
    pub engine: Option<EngineSpec>,
}

/// A server of a folder, which listens but does not answer yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl Server {
    /// Begins to listen. The databases are those of the built-in engine; `jobs` is the number of threads for each work.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read, an address is invalid or not free, the folder for tables cannot be made, or others could
    /// reach the server without a password.
    pub fn bind(folder: &Path, options: ServeOptions, databases: Databases, jobs: NonZeroUsize) -> Result<Self> {
        let ServeOptions { listen, public_url, password, write, engine, cache, cache_size } = options;
        let folder = Folder::open(folder, write)?;
        let listen = listen.unwrap_or_else(|| "127.0.0.1:0".to_owned());
        let invalid = || Error::usage(format!("{listen}: expected an address and a port, such as `192.168.1.20:8080`"));
        let not_found = |error: io::Error| match error.kind() {
            io::ErrorKind::InvalidInput => invalid(),
            _ => Error::unavailable(format!("cannot listen at {listen}: the host cannot be found")),
        };
        let addresses: Vec<_> = listen.to_socket_addrs().map_err(not_found)?.collect();
        let public = public_url.as_deref().map(PublicUrl::parse).transpose()?;
        // Before anything can connect, it is known whether it needs a password.
        let reached = addresses.first().ok_or_else(invalid)?.ip();
        Access::new((reached, 0), None, public.clone(), password.clone())?;
        let taken = |error| Error::unavailable(format!("cannot listen at {listen}: {error}"));
        let listener = TcpListener::bind(addresses[0]).map_err(taken)?;
        let address = listener.local_addr().map_err(taken)?;
        listener.set_nonblocking(true).map_err(taken)?;
        let name = listen.rsplit_once(':').map(|(host, _)| host).filter(|host| host.parse::<IpAddr>().is_err());
        let access = Access::new((address.ip(), address.port()), name, public, password)?;
        let tables = cache.map(|folder| Tables::new(&folder, cache_size, jobs)).transpose()?;
        let host = NativeHost::new(engine.clone(), databases.clone(), tables);
        let thinkers = Thinkers::new(engine, databases, jobs.get());
        Ok(Self { listener, address, shared: Arc::new(Shared::new(access, folder, thinkers, host, jobs)) })
    }

    /// Returns the address of the page, with the token unless people sign in.
    pub fn url(&self) -> String {
        format!("http://{}/{}", self.address, self.shared.access.query())
    }

    /// Returns an address that opens the page once, for a program that others can see the arguments of.
    ///
    /// # Errors
    ///
    /// Without random numbers.
    pub(crate) fn url_once(&self) -> Result<String> {
        Ok(format!("http://{}/{}", self.address, self.shared.access.query_once()?))
    }

    /// Returns the number of records that are not in the list of the folder.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub(crate) fn left_out(&self) -> io::Result<usize> {
        Ok(self.shared.folder.files()?.left_out)
    }

    /// Answers requests until the process ends.
    ///
    /// # Errors
    ///
    /// If the system has no means to wait for connections.
    pub fn run(self) -> Result<()> {
        let failed = |error| Error::unavailable(format!("cannot serve: {error}"));
        // One thread passes bytes to and fro; whatever takes time runs on threads beside it.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener).map_err(failed)?;
            let guests = Arc::new(Guests::default());
            loop {
                match listener.accept().await {
                    Ok((stream, client)) => admit(stream, client.ip(), &guests, &self.shared),
                    // There are too many open files, or the client is gone already.
                    Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                }
            }
        })
    }
}

/// The connections, the oldest first.
#[derive(Default)]
struct Guests(Mutex<VecDeque<Guest>>);

struct Guest {
    /// The number of its requests that are being answered, of people who were let in.
    requests: Arc<AtomicUsize>,
    connection: AbortHandle,
}

impl Guests {
    /// Makes room for a connection: the oldest one that waits for a request is ended. Returns false if all are busy.
    fn make_room(&self) -> bool {
        let mut guests = lock(&self.0);
        if guests.len() < MOST_CONNECTIONS {
            return true;
        }
        let idle = guests.iter().position(|guest| guest.requests.load(Ordering::Relaxed) == 0);
        let Some(guest) = idle.and_then(|place| guests.remove(place)) else { return false };
        guest.connection.abort();
        true
    }
}

/// Serves a connection.
fn admit(stream: TcpStream, address: IpAddr, guests: &Arc<Guests>, shared: &Arc<Shared>) {
    if !guests.make_room() {
        return;
    }
    let requests = Arc::new(AtomicUsize::new(0));
    let (shared, counted) = (Arc::clone(shared), Arc::clone(&requests));
    let service = service_fn(move |request| {
        let connection = Connection { address, requests: Arc::clone(&counted) };
        let shared = Arc::clone(&shared);
        async move { Ok::<_, Infallible>(answered(shared, connection, request).await) }
    });
    let mut protocol = http1::Builder::new();
    protocol.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(LARGEST_HEAD);
    let connection = protocol.serve_connection(TokioIo::new(stream), service);
    let (everyone, own) = (Arc::clone(guests), Arc::clone(&requests));
    let task = tokio::spawn(async move {
        // A connection that fails concerns its client alone.
        let _ = connection.await;
        lock(&everyone.0).retain(|guest| !Arc::ptr_eq(&guest.requests, &own));
    });
    lock(&guests.0).push_back(Guest { requests, connection: task.abort_handle() });
}
