//! Password hashing with Argon2id on a few separate threads behind a bounded queue. Each thread reuses one block of
//! memory.

use std::sync::Arc;
use std::thread;

use argon2::password_hash::{Output, PasswordHash, Salt, SaltString};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use bolts_ports::{Busy, FairQueue, Lane, Passwords, Pending, Pushed, Randomness, TRACED, Taker};
use futures_channel::oneshot;
use tracing::{Instrument, debug_span};

/// The parameters of Argon2id: 19 MiB, 2 iterations, 1 lane (`docs/product.md#users-and-sessions`).
const MEMORY_KIB: u32 = 19 * 1024;
const ITERATIONS: u32 = 2;
const LANES: u32 = 1;

/// The maximum number of passwords in the queue. Hashing a password takes about 20 ms, so even the last password of a
/// full queue gets its answer in time. The threads take passwords from the client networks in turn. A single network
/// may fill the queue. If the queue is full, a password of another network replaces the latest password of the network
/// with the most waiting passwords.
const QUEUE: usize = 128;

type Job = Box<dyn FnOnce(&mut [Block]) + Send>;

/// The implementation of the Passwords port.
pub(crate) struct Argon2Threads {
    queue: Arc<FairQueue<Job>>,
    random: Arc<dyn Randomness>,
    /// A hash for sign-ins to accounts that do not exist. Its check takes as long as the check of a real hash.
    decoy: String,
}

impl Argon2Threads {
    /// Starts one thread for each core except one, which stays free for other requests.
    pub(crate) fn start(random: Arc<dyn Randomness>) -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self::start_threads(random, cores.saturating_sub(1).max(1))
    }

    fn start_threads(random: Arc<dyn Randomness>, threads: usize) -> Self {
        let queue = FairQueue::<Job>::new(QUEUE);
        for _ in 0..threads {
            let jobs = queue.taker();
            thread::spawn(move || work(&jobs));
        }
        let decoy = decoy(&*random).unwrap_or_default();
        Self { queue, random, decoy }
    }

    fn run<T: Send + 'static>(
        &self,
        lane: Lane,
        job: impl FnOnce(&mut [Block]) -> T + Send + 'static,
    ) -> Pending<'_, Result<T, Busy>> {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |memory| drop(reply.send(job(memory))));
        match self.queue.push(lane, job) {
            Pushed::Waits => {}
            // Dropping the job closes its channel, so that its caller gets `Busy`.
            Pushed::Full(refused) | Pushed::Closed(refused) => drop(refused),
        }
        let span = debug_span!(target: TRACED, "password");
        Box::pin(async move { answer.await.map_err(|_| Busy) }.instrument(span))
    }
}

fn work(jobs: &Taker<Job>) {
    // Each thread reuses its memory, because the allocator would keep freed memory of this size for each thread. An idle
    // server has not hashed a password yet and needs none.
    let mut memory = Vec::new();
    while let Some(job) = jobs.take() {
        if memory.is_empty() {
            memory = blocks();
        }
        job(&mut memory);
    }
}

fn blocks() -> Vec<Block> {
    vec![Block::default(); MEMORY_KIB as usize]
}

fn salt(random: &dyn Randomness) -> SaltString {
    let mut bytes = [0; Salt::RECOMMENDED_LENGTH];
    random.fill(&mut bytes);
    SaltString::encode_b64(&bytes).expect("16 bytes are a salt")
}

fn hash(
    salt: &SaltString,
    password: &[u8],
    memory: &mut [Block],
) -> Result<String, argon2::password_hash::Error> {
    let params = params()?;
    let mut salt_bytes = [0; Salt::MAX_LENGTH];
    let salt_bytes = salt.decode_b64(&mut salt_bytes)?;
    stored(&params, salt, output(&params, password, salt_bytes, memory)?)
}

/// A hash that no password has, as far as anybody knows: random bytes in the form of a hash. It costs nothing at the start.
fn decoy(random: &dyn Randomness) -> Result<String, argon2::password_hash::Error> {
    let mut bytes = [0; Params::DEFAULT_OUTPUT_LEN];
    random.fill(&mut bytes);
    stored(&params()?, &salt(random), Output::new(&bytes)?)
}

fn params() -> Result<Params, argon2::password_hash::Error> {
    Ok(Params::new(MEMORY_KIB, ITERATIONS, LANES, None)?)
}

/// The text of a hash, as it is stored.
fn stored(
    params: &Params,
    salt: &SaltString,
    output: Output,
) -> Result<String, argon2::password_hash::Error> {
    let hash = PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: params.try_into()?,
        salt: Some(salt.as_salt()),
        hash: Some(output),
    };
    Ok(hash.to_string())
}

fn output(
    params: &Params,
    password: &[u8],
    salt: &[u8],
    memory: &mut [Block],
) -> Result<Output, argon2::password_hash::Error> {
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
    Output::init_with(Params::DEFAULT_OUTPUT_LEN, |out| {
        Ok(argon2.hash_password_into_with_memory(password, salt, out, memory)?)
    })
}

fn verify(password: &[u8], stored: &str, memory: &mut [Block]) -> Result<bool, argon2::password_hash::Error> {
    let stored = PasswordHash::new(stored)?;
    let (Some(salt), Some(expected)) = (stored.salt, stored.hash) else { return Ok(false) };
    let params = Params::try_from(&stored)?;
    let mut salt_bytes = [0; Salt::MAX_LENGTH];
    let salt_bytes = salt.decode_b64(&mut salt_bytes)?;
    // A stored hash with other parameters may need more memory than the reused block has.
    let found = if params.block_count() > memory.len() {
        output(&params, password, salt_bytes, &mut vec![Block::default(); params.block_count()])?
    } else {
        output(&params, password, salt_bytes, memory)?
    };
    // `Output` compares in constant time.
    Ok(found == expected)
}

impl Passwords for Argon2Threads {
    fn hash(&self, lane: Lane, password: String) -> Pending<'_, Result<String, Busy>> {
        let salt = salt(&*self.random);
        let hashed = self.run(lane, move |memory| hash(&salt, password.as_bytes(), memory));
        Box::pin(async move { hashed.await?.map_err(|_| Busy) })
    }

    fn verify(
        &self,
        lane: Lane,
        password: String,
        stored: Option<String>,
    ) -> Pending<'_, Result<bool, Busy>> {
        let exists = stored.is_some();
        let stored = stored.unwrap_or_else(|| self.decoy.clone());
        let verified = self.run(lane, move |memory| verify(password.as_bytes(), &stored, memory));
        Box::pin(async move {
            let right = verified.await?.unwrap_or_else(|error| {
                tracing::error!(%error, "a stored password hash cannot be read");
                false
            });
            Ok(right && exists)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::SystemRandomness;

    #[test]
    fn hashes_are_salted_and_verified() {
        let mut memory = blocks();
        let (one, two) = (salt(&SystemRandomness), salt(&SystemRandomness));
        let first = hash(&one, b"secret", &mut memory).unwrap();
        let second = hash(&two, b"secret", &mut memory).unwrap();
        assert_ne!(first, second);
        assert!(first.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{first}");
        assert!(verify(b"secret", &first, &mut memory).unwrap());
        assert!(!verify(b"Secret", &second, &mut memory).unwrap());
        assert!(verify(b"secret", "garbage", &mut memory).is_err());
    }

    fn wait_for<T>(answer: impl Future<Output = T>) -> T {
        actix_web::rt::System::new().block_on(answer)
    }

    fn visitor(address: &str) -> Lane {
        Lane::visitor(address.parse().unwrap())
    }

    #[test]
    fn the_check_of_an_unknown_account_is_that_of_a_real_hash() {
        let mut memory = blocks();
        let real = hash(&salt(&SystemRandomness), b"secret", &mut memory).unwrap();
        let decoy = decoy(&SystemRandomness).unwrap();
        // The algorithm and its parameters: all but the last two parts, salt and output.
        let head = |hash: &str| hash.rsplitn(3, '$').last().map(str::to_owned);
        assert_eq!((head(&decoy), decoy.len()), (head(&real), real.len()));
        assert!(!verify(b"secret", &decoy, &mut memory).unwrap());
    }

    #[test]
    fn one_network_cannot_fill_the_queue() {
        let passwords = Argon2Threads::start_threads(Arc::new(SystemRandomness), 1);
        let (release, wait) = std::sync::mpsc::channel::<()>();
        let (started, running) = std::sync::mpsc::channel();
        let held = passwords.run(Lane::Site, move |_| {
            started.send(()).unwrap();
            assert!(wait.recv().is_err());
        });
        running.recv().unwrap();
        let (order, ran) = std::sync::mpsc::channel();
        let put = |from: String| {
            let order = order.clone();
            passwords.run(visitor(&from), move |_| order.send(from.clone()).unwrap())
        };
        // Each address is in a different /64 of the same /48.
        let mut flood: Vec<_> = (0..QUEUE + 10).map(|n| put(format!("2001:db8:1:{n:x}::1"))).collect();
        let other = put("2001:db8:2::1".to_owned());
        drop(release);
        assert_eq!(wait_for(held), Ok(()));
        assert_eq!(wait_for(other), Ok(()));
        assert_eq!(ran.recv().unwrap(), "2001:db8:1:0::1");
        assert_eq!(ran.recv().unwrap(), "2001:db8:2::1");
        let refused = flood.split_off(QUEUE - 1);
        assert!(refused.into_iter().all(|one| wait_for(one) == Err(Busy)));
        assert!(flood.into_iter().all(|one| wait_for(one) == Ok(())));
    }

    #[test]
    fn a_hash_made_elsewhere_is_understood() {
        use argon2::PasswordHasher;
        let params = Params::new(8, 1, 1, None).unwrap();
        let other = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let stored = other.hash_password(b"secret", &salt(&SystemRandomness)).unwrap().to_string();
        assert!(verify(b"secret", &stored, &mut blocks()).unwrap());
    }
}
