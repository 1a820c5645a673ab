//! PostgreSQL for tests: clusters in temporary folders. `initdb` creates each cluster. After the tests the
//! cluster is stopped and deleted.
//!
//! A test that cannot get a cluster fails. This module talks to databases only through PostgreSQL's own
//! programs.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use crate::{free_port, template};

/// Settings of the shared cluster: fast writes that need not survive a crash, and connections for many tests
/// at once.
const SHARED: &[(&str, &str)] = &[
    ("fsync", "off"),
    ("full_page_writes", "off"),
    ("synchronous_commit", "off"),
    ("max_connections", "1000"),
];

/// A shell script that stops the shared cluster 5 seconds after the last test process has ended. Each test
/// process holds a shared lock on a file, so the script gets the exclusive lock only after the last process.
const REAPER: &str = r#"
idle=0
while [ $idle -lt 5 ]; do
    sleep 1
    if flock --exclusive --nonblock "$1/users.lock" true; then idle=$((idle + 1)); else idle=0; fi
done
exec 9<"$1/start.lock"
flock --exclusive 9
if flock --exclusive --nonblock "$1/users.lock" true; then
    "$2" stop --silent --mode immediate --pgdata "$1/data" && rm -rf "$1/data"
else
    exec 9<&-
    exec sh -c "$3" reaper "$1" "$2" "$3"
fi
"#;

/// PostgreSQL's programs, and the operating system's user that runs them. PostgreSQL refuses to run as root.
struct Programs {
    folder: PathBuf,
    /// The user id and group id of an unprivileged user. `None` if the tests do not run as root.
    user: Option<(u32, u32)>,
}

impl Programs {
    fn get() -> &'static Self {
        static PROGRAMS: OnceLock<Programs> = OnceLock::new();
        PROGRAMS.get_or_init(Self::find)
    }

    fn find() -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut versions: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
            .map(|found| found.filter_map(|version| Some(version.ok()?.path().join("bin"))).collect())
            .unwrap_or_default();
        versions.sort();
        let folders = std::env::split_paths(&path).chain(versions.into_iter().rev());
        let has_all =
            |folder: &PathBuf| ["initdb", "pg_ctl", "postgres"].iter().all(|name| folder.join(name).exists());
        let folder = folders.into_iter().find(has_all).expect(
            "these tests need PostgreSQL's programs initdb, pg_ctl and postgres on the PATH or in \
             /usr/lib/postgresql; `just postgres` installs them on Debian",
        );
        // The folder itself and not one with links to it, because only the folder also has `psql`.
        let server = folder.join("postgres").canonicalize().expect("the program was just found");
        let folder = server.parent().expect("a file is in a folder").to_owned();
        let id = |arguments: &[&str]| {
            let output = Command::new("id").args(arguments).output().expect("id runs");
            String::from_utf8_lossy(&output.stdout).trim().parse::<u32>().ok()
        };
        let other = |name: &str| Some((id(&["-u", name])?, id(&["-g", name])?));
        let is_root = id(&["-u"]) == Some(0);
        let user =
            is_root.then(|| other("postgres").or_else(|| other("nobody")).expect("an unprivileged user"));
        Self { folder, user }
    }

    /// A command that runs one of PostgreSQL's programs. Under root, the command runs as the unprivileged user.
    fn command(&self, name: &str) -> Command {
        let program = self.folder.join(name);
        let mut command = match self.user {
            None => Command::new(program),
            Some((user, group)) => {
                let mut command = Command::new("setpriv");
                command.args([
                    format!("--reuid={user}"),
                    format!("--regid={group}"),
                    "--clear-groups".to_owned(),
                ]);
                command.arg(program);
                command
            }
        };
        command.env_remove("PGDATA").env_remove("PGPORT").env_remove("PGHOST").stdin(Stdio::null());
        command
    }

    /// Creates a folder that only root and the user of PostgreSQL's programs may enter.
    fn make_folder(&self, folder: &Path) {
        match fs::DirBuilder::new().mode(0o700).create(folder) {
            Ok(()) => {
                let owner = self.user.unzip();
                chown(folder, owner.0, owner.1).expect("the folder's owner can be set");
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let mine = fs::metadata("/proc/self").map(|process| process.uid());
                let owner = self.user.map(|(user, _)| user).or(mine.ok());
                let found = fs::symlink_metadata(folder).expect("the folder");
                assert!(
                    found.is_dir() && Some(found.uid()) == owner,
                    "{} is somebody else's",
                    folder.display()
                );
            }
            Err(error) => panic!("cannot make {}: {error}", folder.display()),
        }
    }

    fn init(&self, folder: &Path) {
        // The locale is fixed, so that results do not depend on the machine.
        let arguments = ["--username=bolts", "--auth=trust", "--no-sync", "--no-locale", "--encoding=UTF8"];
        let mut command = self.command("initdb");
        check(command.args(arguments).arg("--pgdata").arg(folder.join("data")).current_dir(folder));
    }

    fn start(&self, folder: &Path, port: u16, settings: &[(&str, &str)]) {
        let mut options = format!("-c unix_socket_directories={} -c port={port}", folder.display());
        for (name, value) in settings {
            options.push_str(&format!(" -c {name}={value}"));
        }
        let mut command = self.command("pg_ctl");
        command.args(["start", "--silent", "--wait", "--timeout=60", "--options", &options]);
        // The server inherits the output streams of `pg_ctl` and would keep them open as long as it runs.
        command.arg("--pgdata").arg(folder.join("data")).arg("--log").arg(folder.join("log"));
        command.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
        let started = command.status().expect("pg_ctl runs");
        assert!(started.success(), "{}", fs::read_to_string(folder.join("log")).unwrap_or_default());
    }

    fn is_running(&self, folder: &Path) -> bool {
        let mut command = self.command("pg_ctl");
        command.arg("status").arg("--pgdata").arg(folder.join("data")).current_dir(folder);
        command.output().is_ok_and(|output| output.status.success())
    }
}

fn check(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Runs each statement by itself, and returns what they print.
fn psql(url: &str, statements: &[&str]) -> String {
    // On Debian, the `psql` on the PATH is a script that takes three times as long to start as the program itself.
    let beside_the_server = Programs::get().folder.join("psql");
    let is_there = beside_the_server.exists();
    let mut command = Command::new(if is_there { beside_the_server } else { "psql".into() });
    command.args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"]);
    for statement in statements {
        command.arg("--command").arg(statement);
    }
    let output = check(command.arg(url).stdin(Stdio::null()));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn url(host: &str, port: u16, database: &str) -> String {
    format!("postgres://bolts@/{database}?host={host}&port={port}")
}

/// A new, empty database on the cluster that all tests share. Dropping the value drops the database, except
/// during a panic.
pub struct Database {
    name: String,
    maintenance: String,
    url: String,
}

impl Database {
    /// Creates a database on the shared cluster. Starts the cluster first if it does not run.
    #[must_use]
    pub fn new() -> Self {
        Self::on(&format!("host={}", shared().display()))
    }

    /// Creates a copy of a template on the shared cluster. The tests of one executable share the template. The first of
    /// them calls `migrate` with the URL of an empty database. `migrate` must have closed its connections when it returns.
    #[must_use]
    pub fn migrated(migrate: impl FnOnce(&str)) -> Self {
        static TEMPLATE: OnceLock<String> = OnceLock::new();
        let place = format!("host={}", shared().display());
        Self::like(TEMPLATE.get_or_init(|| Self::template(&place, migrate)), &place)
    }

    /// Creates the template of this executable if no other process has done so. Returns its name.
    fn template(place: &str, migrate: impl FnOnce(&str)) -> String {
        let name = template_name();
        let lock = lock_file(shared(), "template.lock");
        lock.lock().expect("a lock");
        // The mark is in the folder of the databases, so they are deleted together.
        let mark = shared().join("data").join(&name);
        if !mark.exists() {
            let draft = Self::on(place);
            migrate(&draft.url);
            let rename = format!("ALTER DATABASE {} RENAME TO {name}", draft.name);
            psql(&draft.maintenance, &[&rename]);
            // The draft has another name now, so there is nothing to drop.
            std::mem::forget(draft);
            File::create(mark).expect("the mark of the template");
        }
        name
    }

    fn on(place: &str) -> Self {
        Self::like("template0", place)
    }

    fn like(template: &str, place: &str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let url = |database: &str| format!("postgres://bolts@/{database}?{place}");
        let database = Self { url: url(&name), maintenance: url("postgres"), name };
        // A killed process with the same process id may have left a database of this name.
        let drop_old = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", database.name);
        let create = format!("CREATE DATABASE {} TEMPLATE {template}", database.name);
        psql(&database.maintenance, &[&drop_old, &create]);
        database
    }

    /// The URL of the database.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Runs a statement with `psql` and returns its output.
    #[must_use]
    pub fn psql(&self, sql: &str) -> String {
        psql(&self.url, &[sql])
    }
}

impl Default for Database {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            psql(&self.maintenance, &[&format!("DROP DATABASE {} WITH (FORCE)", self.name)]);
        }
    }
}

/// The folder of the shared cluster. The first call starts the cluster if it does not run. The cluster then
/// runs at least as long as this process.
fn shared() -> &'static Path {
    static SHARE: OnceLock<(PathBuf, File)> = OnceLock::new();
    let share = || {
        let programs = Programs::get();
        let user = programs.user.map_or_else(String::new, |(user, _)| format!("-{user}"));
        let folder = std::env::temp_dir().join(format!("bolts-test-postgres{user}"));
        programs.make_folder(&folder);
        let starting = lock_file(&folder, "start.lock");
        starting.lock().expect("a lock");
        let using = lock_file(&folder, "users.lock");
        using.lock_shared().expect("a lock");
        if !programs.is_running(&folder) {
            drop(fs::remove_dir_all(folder.join("data")));
            programs.init(&folder);
            let settings = [SHARED, &[("listen_addresses", "''")]].concat();
            programs.start(&folder, 5432, &settings);
            reap_later(programs, &folder);
        }
        drop(starting);
        (folder, using)
    };
    &SHARE.get_or_init(share).0
}

fn lock_file(folder: &Path, name: &str) -> File {
    let file = File::options().create(true).append(true).open(folder.join(name));
    file.unwrap_or_else(|error| panic!("{name} in {}: {error}", folder.display()))
}

/// The name of the template of this executable. A new build may have other migrations, so it has another template.
fn template_name() -> String {
    let built = template::built().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970");
    let executable = std::env::current_exe().expect("the executable has a path");
    let mut hasher = DefaultHasher::new();
    (built, executable).hash(&mut hasher);
    format!("template_{:x}", hasher.finish())
}

/// Starts the script that stops the shared cluster. The script has its own session, so that it continues if
/// the test is killed.
#[expect(clippy::zombie_processes, reason = "the script outlives this process")]
fn reap_later(programs: &Programs, folder: &Path) {
    let mut reaper = Command::new("setsid");
    if let Some((user, group)) = programs.user {
        reaper.args(["setpriv", &format!("--reuid={user}"), &format!("--regid={group}"), "--clear-groups"]);
    }
    reaper.args(["sh", "-c", REAPER, "reaper"]).arg(folder).arg(programs.folder.join("pg_ctl")).arg(REAPER);
    reaper.current_dir(folder);
    reaper.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    reaper.spawn().expect("setsid runs");
}

/// A cluster for one test. The test may stop and start the cluster. The cluster is deleted when the value is
/// dropped, and at the latest when the process of the test ends.
pub struct Cluster {
    folder: tempfile::TempDir,
    port: u16,
    settings: Vec<(String, String)>,
    guard: Child,
}

impl Cluster {
    /// Starts a cluster with these settings on a free loopback port and a Unix socket. All other settings keep
    /// PostgreSQL's defaults. `prepare` gets the folder before the first start.
    #[must_use]
    pub fn start_with(settings: &[(&str, &str)], prepare: impl FnOnce(&Path)) -> Self {
        let folder = own_folder();
        Programs::get().init(folder.path());
        prepare(folder.path());
        let mut all = vec![("listen_addresses".to_owned(), "127.0.0.1".to_owned())];
        all.extend(settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        Self::run(folder, all)
    }

    /// Starts the server of a folder with data on a free port.
    fn run(folder: tempfile::TempDir, settings: Vec<(String, String)>) -> Self {
        let port = free_port();
        // The guard is a shell that stops and deletes the cluster when its standard input closes. The input
        // closes when the value is dropped or when this process ends.
        let guard = format!(
            "cat >/dev/null; kill -QUIT $(head -1 '{0}/data/postmaster.pid') 2>/dev/null; sleep 0.2; rm -rf '{0}'",
            folder.path().display()
        );
        let mut command = Command::new("setsid");
        command.args(["sh", "-c", &guard]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let guard = command.spawn().expect("setsid runs");
        let cluster = Self { folder, port, settings, guard };
        cluster.start();
        cluster
    }

    /// Starts a cluster with PostgreSQL's default settings.
    #[must_use]
    pub fn new() -> Self {
        Self::start_with(&[], |_| ())
    }

    /// Copies the cluster to a standby on another port, which streams its changes.
    #[must_use]
    pub fn standby(&self) -> Self {
        let folder = own_folder();
        let mut command = Programs::get().command("pg_basebackup");
        command.args([
            "--username=bolts",
            "--checkpoint=fast",
            "--no-sync",
            "--write-recovery-conf",
            "--host",
        ]);
        command.arg(self.folder.path()).arg(format!("--port={}", self.port)).arg("--pgdata");
        check(command.arg(folder.path().join("data")).current_dir(folder.path()));
        Self::run(folder, self.settings.clone())
    }

    /// Runs statements in a database of the cluster and returns what they print.
    #[must_use]
    pub fn psql(&self, database: &str, sql: &str) -> String {
        psql(&url(&self.folder.path().display().to_string(), self.port, database), &[sql])
    }

    /// Starts the cluster again after [`stop`](Self::stop).
    pub fn start(&self) {
        let settings: Vec<(&str, &str)> =
            self.settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        Programs::get().start(self.folder.path(), self.port, &settings);
    }

    /// Stops the cluster and closes its connections. The mode `fast` is like a stop by an operator, and
    /// `immediate` is like a crash.
    pub fn stop(&self, mode: &str) {
        let mut command = Programs::get().command("pg_ctl");
        command.args(["stop", "--silent", "--wait", "--mode", mode, "--pgdata"]);
        check(command.arg(self.folder.path().join("data")).current_dir(self.folder.path()));
    }

    /// Kills the server's main process with SIGKILL, as the kernel does when memory is short, and waits for the end of its
    /// child processes, which notice the death by themselves.
    pub fn kill(&self) {
        let file = self.folder.path().join("data/postmaster.pid");
        let said = fs::read_to_string(&file).expect("the server runs");
        let server = said.lines().next().expect("a process id").to_owned();
        let left = children(&server);
        check(Command::new("kill").args(["-KILL", &server]));
        let started = Instant::now();
        while left.iter().chain([&server]).any(|process| exists(process)) {
            assert!(
                started.elapsed() < Duration::from_secs(60),
                "PostgreSQL goes on without its main process"
            );
            sleep(Duration::from_millis(20));
        }
    }

    /// Creates an empty database in this cluster and returns its URL. The database is deleted with the cluster.
    #[must_use]
    pub fn database(&self, name: &str) -> String {
        let folder = self.folder.path().display().to_string();
        psql(&url(&folder, self.port, "postgres"), &[&format!("CREATE DATABASE {name} TEMPLATE template0")]);
        url(&folder, self.port, name)
    }

    /// The port of the cluster on the loopback interface.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl Default for Cluster {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.guard.stdin.take());
        drop(self.guard.wait());
    }
}

/// A new folder of the user that runs PostgreSQL's programs.
fn own_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    if let Some((user, group)) = Programs::get().user {
        chown(folder.path(), Some(user), Some(group)).expect("the folder's owner can be set");
    }
    folder
}

/// The processes that this process has started.
fn children(process: &str) -> Vec<String> {
    let said =
        Command::new("ps").args(["--no-headers", "-o", "pid", "--ppid", process]).output().expect("ps runs");
    String::from_utf8_lossy(&said.stdout).split_whitespace().map(str::to_owned).collect()
}

/// Whether the process exists. PostgreSQL does not start while the process of the last start exists, even if that process
/// has ended and only waits for its parent to notice.
fn exists(process: &str) -> bool {
    Path::new("/proc").join(process).exists()
}

/// Gives a file to the user that runs PostgreSQL's servers, so that the servers can read the file.
pub fn hand_over(file: &Path) {
    if let Some((user, group)) = Programs::get().user {
        chown(file, Some(user), Some(group)).expect("the file's owner can be set");
    }
}
