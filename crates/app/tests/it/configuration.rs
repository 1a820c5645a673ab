//! The configuration file, files with secrets, `bolts serve --check` and `bolts doctor`.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;

use bolts_testkit::provider::{self, Reply, Tls};
use serde_json::json;
use tempfile::TempDir;

use crate::database::url;
use crate::harness::{Server, binary, new_bet};

fn stored(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).expect("a file");
    path
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The file that a command uses as its database, as `bolts migrate --check` names it.
fn database_of(arguments: &[&str], variables: &[(&str, &Path)]) -> String {
    let variables = variables.iter().map(|(name, value)| (name, value.as_os_str()));
    let checked = binary().args(["migrate", "--check"]).args(arguments).envs(variables).output();
    let checked = checked.expect("it runs");
    out(&checked).lines().next().unwrap_or_else(|| panic!("{}", err(&checked))).to_owned()
}

#[test]
fn a_flag_overrides_a_variable_and_a_variable_overrides_the_file() {
    let folder = TempDir::new().expect("a folder");
    let config = stored(&folder, "bolts.toml", "database-url = \"sqlite:///file.db\"\n");
    let by_flag = ["--config", config.to_str().expect("a path")];
    let variable = ("BOLTS_DATABASE_URL", Path::new("sqlite:///variable.db"));
    assert_eq!(database_of(&by_flag, &[]), "SQLite /file.db");
    assert_eq!(database_of(&[], &[("BOLTS_CONFIG", &config)]), "SQLite /file.db");
    assert_eq!(database_of(&by_flag, &[variable]), "SQLite /variable.db");
    let flags = [&by_flag[..], &["--database-url", "sqlite:///flag.db"]].concat();
    assert_eq!(database_of(&flags, &[variable]), "SQLite /flag.db");
    assert_eq!(database_of(&[], &[]), "SQLite data/bolts.db", "the default");
}

#[test]
fn secrets_are_read_from_files_and_from_systemd() {
    let folder = TempDir::new().expect("a folder");
    let secret = stored(&folder, "secret", " sqlite:///secret.db\n");
    stored(&folder, "database-url", "sqlite:///credential.db\n");
    let config = stored(&folder, "bolts.toml", "database-url-file = \"secret\"\n");
    let (file, systemd) =
        (("BOLTS_DATABASE_URL_FILE", secret.as_path()), ("CREDENTIALS_DIRECTORY", folder.path()));
    assert_eq!(database_of(&[], &[file]), "SQLite /secret.db", "without the white space");
    assert_eq!(database_of(&[], &[systemd]), "SQLite /credential.db");
    assert_eq!(database_of(&[], &[systemd, file]), "SQLite /secret.db");
    let config = config.as_path();
    assert_eq!(database_of(&[], &[("BOLTS_CONFIG", config)]), "SQLite /secret.db", "relative to the file");
    assert_eq!(database_of(&[], &[("BOLTS_CONFIG", config), systemd]), "SQLite /credential.db");
}

#[test]
fn an_empty_variable_counts_as_not_set() {
    let folder = TempDir::new().expect("a folder");
    let (secret, key) =
        (stored(&folder, "secret", "sqlite:///secret.db\n"), stored(&folder, "key", "hush\n"));
    let empty = [("BOLTS_DATABASE_URL", Path::new("")), ("BOLTS_CONFIG", Path::new(""))];
    let file = ("BOLTS_DATABASE_URL_FILE", secret.as_path());
    assert_eq!(database_of(&[], &empty), "SQLite data/bolts.db");
    assert_eq!(database_of(&[], &[empty[0], file]), "SQLite /secret.db");
    let check = binary()
        .args(["serve", "--check", "--database-url", &url(folder.path())])
        .args(["--lightning", "lnbits", "--lnbits-url", "http://127.0.0.1:1"])
        .envs(
            ["LNBITS_ADMIN_KEY", "SMTP_URL", "WORKERS", "TRUSTED_PROXIES"]
                .map(|name| (format!("BOLTS_{name}"), "")),
        )
        .env("BOLTS_LNBITS_ADMIN_KEY_FILE", &key)
        .output()
        .expect("it runs");
    assert!(check.status.success(), "{}", err(&check));
}

/// Two sources of one secret are a mistake, and the wrong one may win. So none wins.
#[test]
fn a_secret_with_two_sources_or_without_content_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let (secret, empty) = (stored(&folder, "secret", "sqlite:///a.db"), stored(&folder, "empty", "\n"));
    let refused = |variables: &[(&str, &Path)], about: &str| {
        let variables = variables.iter().map(|(name, value)| (name, value.as_os_str()));
        let output = binary().arg("audit").envs(variables).output().expect("it runs");
        assert_eq!((output.status.code(), err(&output).lines().count()), (Some(2), 1), "{}", err(&output));
        assert!(err(&output).contains(about), "{about:?} in {}", err(&output));
    };
    let both =
        [("BOLTS_DATABASE_URL_FILE", secret.as_path()), ("BOLTS_DATABASE_URL", Path::new("sqlite:///b.db"))];
    refused(&both, "not both");
    refused(&[("BOLTS_DATABASE_URL_FILE", &empty)], "is empty");
    refused(&[("BOLTS_DATABASE_URL_FILE", Path::new("/nowhere"))], "/nowhere");
    let both = "database-url = \"sqlite:///a.db\"\ndatabase-url-file = \"secret\"\n";
    refused(&[("BOLTS_CONFIG", &stored(&folder, "both.toml", both))], "not both");
    refused(&[("BOLTS_CONFIG", Path::new("/nowhere.toml"))], "/nowhere.toml");
}

#[test]
fn the_check_says_all_that_is_wrong_a_line_each() {
    let folder = TempDir::new().expect("a folder");
    let config = "bnid = \"127.0.0.1:1\"\nworkers = 1.5\nlapse-after = \"soon\"\nfloat = -1\n\
                  lightning = \"lnbits\"\nideas = \"openai\"\ntrusted-proxies = [\"::1\", \"home\"]\n\
                  metrics-bind-file = \"x\"\n[serve]\nworkers = 2\n";
    let config = stored(&folder, "bolts.toml", config);
    let database = url(folder.path());
    let check = binary()
        .args([
            "serve",
            "--check",
            "--stand-after",
            "never",
            "--public-url",
            "bets",
            "--database-url",
            &database,
        ])
        .arg("--config")
        .arg(&config)
        .envs([("BOLTS_REMIND_BEFORE", "0s"), ("BOLTS_LOG", "a=b=c")])
        .output()
        .expect("it runs");
    let (said, expected) = (
        err(&check),
        [
            "there is no setting bnid; did you mean bind?",
            "workers must be a text, a whole number",
            "invalid value 'soon' for '--lapse-after",
            "invalid value '-1' for '--float",
            "invalid value 'home' for '--trusted-proxies",
            "there is no setting metrics-bind-file",
            "there is no setting serve",
            "invalid value 'never' for '--stand-after",
            "invalid value '0s' for '--remind-before",
            "--public-url must be an address",
            "--log must be a level",
            "needs --lnbits-url",
            "needs --lnbits-admin-key",
            "need --ideas-url",
            "need --ideas-model",
        ],
    );
    assert_eq!(check.status.code(), Some(2), "{said}");
    for part in expected {
        assert_eq!(said.lines().filter(|line| line.contains(part)).count(), 1, "{part:?} in {said}");
    }
    assert_eq!(said.lines().count(), expected.len(), "{said}");
    assert!(!folder.path().join("bolts.db").exists(), "the check changes nothing");
}

#[test]
fn the_check_finds_the_faults_of_mail() {
    let relay = ["--smtp-url", "smtp://127.0.0.1:1", "--mail-from", "bolts@bets.example"];
    for (options, fault) in [
        (&relay[..], "--smtp-url needs --public-url"),
        (&["--require-verified-email"], "--require-verified-email needs --smtp-url"),
        (&["--smtp-url", "relay", "--mail-from", "bolts@bets.example"], "--smtp-url must be"),
    ] {
        let folder = TempDir::new().expect("a folder");
        let check = binary()
            .args(["serve", "--check", "--database-url", &url(folder.path())])
            .args(options)
            .output()
            .expect("it runs");
        let said = err(&check);
        assert_eq!(check.status.code(), Some(2), "{said}");
        assert_eq!(said.lines().filter(|line| line.contains(fault)).count(), 1, "{said}");
    }
}

/// A value of the file or of a credential is a default for clap, which sees relations only between flags and variables.
#[test]
fn the_sender_of_mails_may_be_set_in_another_place_than_the_relay() {
    let folder = TempDir::new().expect("a folder");
    let relay = "smtp://127.0.0.1:1";
    let config = |name: &str, text: &str| {
        let text = format!("public-url = \"http://localhost:8080\"\n{text}");
        stored(&folder, name, &text).display().to_string()
    };
    let with_url = config("url.toml", &format!("smtp-url = \"{relay}\"\n"));
    let with_sender = config("sender.toml", "mail-from = \"bolts@bets.example\"\n");
    let with_neither = config("neither.toml", "");
    stored(&folder, "smtp-url", relay);
    let credentials = folder.path().display().to_string();
    let by_systemd = ("CREDENTIALS_DIRECTORY", credentials.as_str());
    let said = |command: &[&str], config: &str, variable: (&str, &str)| {
        let command = binary()
            .args(command)
            .args(["--config", config, "--database-url", &url(folder.path())])
            .envs([variable])
            .output()
            .expect("it runs");
        (command.status.code(), out(&command) + &err(&command))
    };
    for (config, variable) in [
        (&with_sender, ("BOLTS_SMTP_URL", relay)),
        (&with_sender, by_systemd),
        (&with_url, ("BOLTS_MAIL_FROM", "bolts@bets.example")),
    ] {
        let (status, said) = said(&["serve", "--check"], config, variable);
        assert_eq!(status, Some(0), "{variable:?} with {config}: {said}");
    }
    for (config, variable) in [
        (&with_url, ("BOLTS_LOG", "info")),
        (&with_neither, by_systemd),
        (&with_neither, ("BOLTS_SMTP_URL", relay)),
    ] {
        for (command, wanted) in [(&["serve", "--check"][..], 2), (&["serve"], 2), (&["doctor"], 1)] {
            let (status, said) = said(command, config, variable);
            assert_eq!(status, Some(wanted), "{command:?}, {variable:?} with {config}: {said}");
            assert!(said.contains("--smtp-url needs --mail-from"), "{command:?}: {said}");
        }
    }
}

#[test]
fn a_valid_configuration_passes_the_check_and_serves() {
    let folder = TempDir::new().expect("a folder");
    let config = stored(
        &folder,
        "bolts.toml",
        "manual-verification = \"bolts\"\nlog-format = \"json\"\nlnurl-allow-private = true\n",
    );
    let config = config.to_str().expect("a path");
    let check = binary()
        .args(["serve", "--check", "--config", config, "--database-url", &url(folder.path())])
        .output();
    let check = check.expect("it runs");
    assert!(check.status.success() && out(&check).contains("The configuration is valid."), "{}", err(&check));
    let server = Server::start_with(&["--config", config]);
    let sats = json!({"resolutionMethod": "Manual Verification", "currencyType": "sats", "stakeAmount": 100});
    server.user("ann").post("/api/bets", new_bet(sats)).invalid(&["resolutionMethod"]);
}

/// A broken line of the file may contain a secret, and a log is read by more people than the file.
#[test]
fn no_message_and_no_help_repeats_a_secret_of_the_file() {
    let folder = TempDir::new().expect("a folder");
    let broken = stored(&folder, "broken.toml", "ideas-key = \"hush-1\" \"hush-2\"\n");
    let wrong = stored(&folder, "wrong.toml", "ideas-key = [\"hush-3\"]\nlnbits-url = \"hush-4\"\n");
    let fine = stored(
        &folder,
        "fine.toml",
        "ideas-key = \"hush-5\"\ndatabase-url = \"postgres://u:hush-6@127.0.0.1:1/b\"\n",
    );
    for config in [&broken, &wrong, &fine] {
        for command in
            [&["serve", "--check"][..], &["serve", "--help"], &["audit"], &["migrate", "--help"], &["doctor"]]
        {
            let said = binary().args(command).arg("--config").arg(config).output().expect("it runs");
            assert!(
                !(out(&said) + &err(&said)).contains("hush"),
                "{command:?}: {}{}",
                out(&said),
                err(&said)
            );
        }
    }
    let said = binary().args(["audit", "--config"]).arg(&broken).output().expect("it runs");
    assert!(err(&said).contains("broken.toml: line 1:"), "{}", err(&said));
}

fn committed(path: &str) -> String {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_example_is_current_and_valid() {
    let example = out(&binary().args(["config", "example"]).output().expect("it runs"));
    assert_eq!(committed("packaging/bolts.toml"), example, "stale: run `just config-example`");
    let folder = TempDir::new().expect("a folder");
    let is_setting = |line: &&str| line.starts_with('#') && !line.starts_with("# ") && line.contains(" = ");
    let settings: Vec<&str> = example.lines().filter(is_setting).map(|line| &line[1..]).collect();
    assert!(settings.len() > 40, "{settings:?}");
    assert!(settings.contains(&"bind = \"127.0.0.1:8080\"") && settings.contains(&"trusted-proxies = []"));
    for text in [example.clone(), settings.join("\n")] {
        let config = stored(&folder, "bolts.toml", &text);
        let check = binary()
            .args(["serve", "--check", "--config"])
            .arg(&config)
            .current_dir(folder.path())
            .output()
            .expect("it runs");
        assert!(check.status.success(), "{}", err(&check));
    }
}

/// These commands do not use the configuration, and may be needed to fix it.
#[test]
fn commands_without_settings_run_with_a_wrong_configuration() {
    let folder = TempDir::new().expect("a folder");
    let config = stored(&folder, "bolts.toml", "bnid = 1\n");
    for command in
        [&["config", "example"][..], &["openapi"], &["completions", "bash"], &["manual"], &["--version"]]
    {
        let done = binary().args(command).env("BOLTS_CONFIG", &config).output().expect("it runs");
        assert!(done.status.success() && !done.stdout.is_empty(), "{command:?}: {}", err(&done));
    }
}

fn doctor(arguments: &[&str], variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let done =
        binary().arg("doctor").args(arguments).envs(variables.iter().copied()).output().expect("it runs");
    (done.status.code(), out(&done))
}

#[test]
fn the_doctor_finds_a_healthy_site_healthy() {
    let server = Server::start();
    let (status, said) =
        doctor(&["--database-url", &server.database.url(), "--public-url", &server.base], &[]);
    assert_eq!(status, Some(0), "{said}");
    for part in ["configuration", "clock", "current schema", "provider", &format!("{} answers", server.base)]
    {
        assert!(said.contains(part), "{part:?} in {said}");
    }
    assert!(!said.contains("FAULT"), "{said}");
}

#[test]
fn the_doctor_says_what_to_fix() {
    let folder = TempDir::new().expect("a folder");
    let config = stored(&folder, "bolts.toml", "ideas-key = \"hush\"\nbidn = 1\n");
    fs::set_permissions(&config, fs::Permissions::from_mode(0o644)).expect("a mode");
    let closed = TcpListener::bind("127.0.0.1:0").and_then(|port| port.local_addr()).expect("a port");
    let (url, lnbits) = (url(folder.path()), format!("http://{closed}"));
    let arguments = [
        "--config",
        config.to_str().expect("a path"),
        "--database-url",
        &url,
        "--bind",
        "0.0.0.0:8080",
        "--lightning",
        "lnbits",
        "--lnbits-url",
        &lnbits,
        "--arbiter-rules-within",
        "30d",
        "--stand-after",
        "14d",
    ];
    let [key, macaroon] = ["key", "macaroon"].map(|name| {
        let path = stored(&folder, name, "hush");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("a mode");
        path.display().to_string()
    });
    let variables = [
        ("BOLTS_LNBITS_ADMIN_KEY_FILE", key.as_str()),
        ("BOLTS_LND_MACAROON_FILE", macaroon.as_str()),
        ("BOLTS_PUBLIK_URL", "x"),
    ];
    let (status, said) = doctor(&arguments, &variables);
    assert_eq!(status, Some(1), "{said}");
    for part in [
        "there is no setting bidn; did you mean bind?",
        "bolts.toml, which contains ideas-key",
        &format!("can read the secret in {key}"),
        &format!("can read the secret in {macaroon}"),
        "BOLTS_PUBLIK_URL; did you mean BOLTS_PUBLIC_URL?",
        "--arbiter-rules-within is not shorter",
        "--stand-after is not shorter",
        "none is set, and the server listens to other machines without TLS",
        "fix: start the provider",
        "is empty; the server will create the schema",
    ] {
        assert!(said.contains(part), "{part:?} in {said}");
    }
    assert!(!said.contains("hush"), "{said}");
    assert!(!folder.path().join("bolts.db").exists(), "the doctor changes nothing");
}

/// The server would refuse these only after it has migrated the database.
#[test]
fn the_check_and_the_doctor_compare_the_settings_with_the_database() {
    let server = Server::start();
    let database = server.database.url();
    let options = ["--database-url", &database, "--read-url", "postgres://bolts@127.0.0.1:1/bolts"];
    let lnbits =
        ["--lightning", "lnbits", "--lnbits-url", "http://127.0.0.1:1", "--lnbits-admin-key", "hush"];
    let options = [&options[..], &lnbits].concat();
    let check = binary().args(["serve", "--check"]).args(&options).output().expect("it runs");
    let (status, said) = doctor(&options, &[]);
    assert_eq!((check.status.code(), status), (Some(2), Some(1)), "{}{said}", err(&check));
    for fault in ["this database holds test sats", "--read-url needs PostgreSQL"] {
        assert!(err(&check).contains(fault) && said.contains(fault), "{fault:?}: {}{said}", err(&check));
    }
}

/// Browsers refuse this certificate, so the site works for nobody.
#[test]
fn the_doctor_finds_a_certificate_that_browsers_refuse() {
    let site = provider::Server::start(Some(Tls::self_signed()), |_| Reply::json(200, &json!({})));
    let folder = TempDir::new().expect("a folder");
    let (status, said) = doctor(&["--database-url", &url(folder.path()), "--public-url", &site.url()], &[]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("has no TLS that browsers accept: invalid peer certificate"), "{said}");
}

/// A proxy that sends the path to another program is found by the missing request id.
#[test]
fn the_doctor_notices_another_server_at_the_public_address() {
    let other = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", other.local_addr().expect("an address"));
    let answering = std::thread::spawn(move || {
        use std::io::{Read, Write};
        let (mut stream, _) = other.accept().expect("a connection");
        let mut head = [0; 1024];
        drop(stream.read(&mut head));
        stream
            .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            .expect("it is sent");
    });
    let folder = TempDir::new().expect("a folder");
    let (status, said) = doctor(&["--database-url", &url(folder.path()), "--public-url", &address], &[]);
    answering.join().expect("one request came");
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("is not answered by Bolts, but with status 200"), "{said}");
}
