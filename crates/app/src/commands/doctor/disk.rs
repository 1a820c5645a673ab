//! The disk of a SQLite file.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

use rustix::fs::{statfs, statvfs};

use super::Finding;

const SUBJECT: &str = "disk";

/// Less free space than this is a warning. A backup needs as much space as the database.
const LITTLE: u64 = 1024 * 1024 * 1024;

/// Less free space than this is a fault.
const ALMOST_NONE: u64 = 64 * 1024 * 1024;

/// An fsync that takes longer makes every answer to a change slow. A disk for databases needs less than 5 ms.
const SLOW: Duration = Duration::from_millis(20);

/// The numbers of network file systems in `statfs`: NFS, SMB, SMB 2, CIFS, 9P. SQLite's locks and shared memory do not
/// work on them.
const NETWORK: [u32; 5] = [0x6969, 0x517b, 0xfe53_4d42, 0xff53_4d42, 0x0102_1997];

pub(super) fn look(file: &Path) -> Vec<Finding> {
    let Some(folder) = existing_folder(file) else {
        return vec![Finding::fault(
            SUBJECT,
            format!("{} has no folder", file.display()),
            "create the folder",
        )];
    };
    [network(&folder), free(&folder), speed(&folder), readers(file)].into_iter().flatten().collect()
}

/// The folder of the file, or the nearest folder above it that exists. The server creates the others.
fn existing_folder(file: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(file).ok()?;
    absolute.ancestors().skip(1).find(|folder| folder.is_dir()).map(Path::to_owned)
}

fn network(folder: &Path) -> Option<Finding> {
    let kind = statfs(folder).ok()?.f_type;
    // The type of this field differs between systems. The numbers have 32 bits.
    let kind = u32::try_from(i128::from(kind) & 0xffff_ffff).ok()?;
    NETWORK.contains(&kind).then(|| {
        let said = format!("{} is on a network file system", folder.display());
        Finding::fault(SUBJECT, said, "move the SQLite file to a local disk, or use PostgreSQL")
    })
}

fn free(folder: &Path) -> Option<Finding> {
    let space = statvfs(folder).ok()?;
    let free = space.f_bavail.saturating_mul(space.f_frsize);
    let said = format!("{} MB free in {}", free / 1_000_000, folder.display());
    let fix = "free space, or move the database to a larger disk";
    Some(match free {
        _ if free < ALMOST_NONE => Finding::fault(SUBJECT, said, fix),
        _ if free < LITTLE => Finding::warning(SUBJECT, said, fix),
        _ => Finding::fine(SUBJECT, said),
    })
}

fn speed(folder: &Path) -> Option<Finding> {
    match fsync_time(folder) {
        Ok(time) => {
            let said = format!("an fsync takes {:.1} ms", time.as_secs_f64() * 1_000.0);
            Some(if time > SLOW {
                Finding::warning(SUBJECT, said, "use a faster disk: each change waits for an fsync")
            } else {
                Finding::fine(SUBJECT, said)
            })
        }
        Err(error) => {
            let said = format!("cannot write in {}: {error}", folder.display());
            Some(Finding::fault(
                SUBJECT,
                said,
                "give the user of the service the right to write in this folder",
            ))
        }
    }
}

/// The median of some fsyncs of a small file.
fn fsync_time(folder: &Path) -> io::Result<Duration> {
    let path = folder.join(format!(".bolts-doctor-{}", std::process::id()));
    let measured = (|| {
        let mut file = fs::OpenOptions::new().write(true).create_new(true).open(&path)?;
        let mut times = Vec::new();
        for _ in 0..11 {
            file.write_all(&[0; 4096])?;
            let since = Instant::now();
            file.sync_all()?;
            times.push(since.elapsed());
        }
        times.sort_unstable();
        Ok(times[times.len() / 2])
    })();
    drop(fs::remove_file(&path));
    measured
}

/// A warning if other users of the machine can read the file, which contains password hashes and the key of cookies.
fn readers(file: &Path) -> Option<Finding> {
    let mode = file.metadata().ok()?.permissions().mode();
    (mode & 0o007 != 0).then(|| {
        let said = format!("other users of the machine can read or write {}", file.display());
        Finding::warning(SUBJECT, said, "chmod 600, also for the files -wal and -shm beside it")
    })
}
