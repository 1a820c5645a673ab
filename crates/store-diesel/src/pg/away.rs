//! Distinguishes a server that is away for now from a connection that can never work.
//!
//! Diesel gives the message of a failed connection, without its code. libpq is built in, so its own messages are English.
//! The server writes its messages in the language of the operator.

/// Parts of libpq's own messages about a server that is away: not started yet, unreachable, or a standby although the URL
/// wants a primary (`target_session_attrs`).
const AWAY: [&str; 14] = [
    "Connection refused",
    "could not translate host name",
    "timeout expired",
    "Connection timed out",
    "Connection reset by peer",
    "Broken pipe",
    "No route to host",
    "Host is down",
    "Network is unreachable",
    "Network is down",
    "server closed the connection unexpectedly",
    "SSL SYSCALL error: EOF detected",
    "session is read-only",
    "server is in hot standby mode",
];

/// The beginnings of libpq's reports about one of the hosts in the URL.
const ATTEMPTS: [&str; 2] = ["connection to server ", "could not translate host name "];

/// The quotation marks in PostgreSQL's messages, in all languages.
const QUOTES: [char; 8] = ['"', '„', '“', '”', '«', '»', '「', '」'];

/// Whether a later attempt to connect can succeed although nothing in the URL changes. The message has a report for each
/// host that libpq has tried.
pub(super) fn is_away(message: &str) -> bool {
    let mut reports: Vec<String> = Vec::new();
    for line in message.lines() {
        match reports.last_mut() {
            Some(report) if !ATTEMPTS.iter().any(|begin| line.starts_with(begin)) => report.push_str(line),
            _ => reports.push(line.to_owned()),
        }
    }
    !reports.is_empty() && reports.iter().all(|report| is_about_the_server(report))
}

fn is_about_the_server(report: &str) -> bool {
    // Names of the URL may contain anything, so they do not count.
    let said = report.split_once(" failed: ").map_or(report, |(_, said)| said);
    match said.split_once(":  ") {
        // A message of the server follows its severity and two spaces. Messages about the URL name its user, its database
        // or its option in quotation marks. Messages about the state of the server (starting, stopping, in recovery, without
        // a free connection) name nothing.
        Some((severity, words)) if !severity.contains(' ') => !words.contains(QUOTES),
        // The socket of a server that has not started. The file of a certificate can be missing too, and stays missing.
        _ => said.starts_with("No such file or directory") || AWAY.iter().any(|part| said.contains(part)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A report about an attempt to connect by TCP.
    fn tcp(said: &str) -> String {
        format!("connection to server at \"db1\" (10.0.0.1), port 5432 failed: {said}\n")
    }

    #[test]
    fn a_server_that_may_come_back_is_away() {
        let socket = "connection to server on socket \"/run/.s.PGSQL.5432\" failed: No such file or directory\n\
                      \tIs the server running locally and accepting connections on that socket?\n";
        for said in [
            "Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?",
            "timeout expired",
            "server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally",
            "session is read-only",
            "FATAL:  the database system is starting up",
            "FATAL:  the database system is not accepting connections\nDETAIL:  Hot standby mode is disabled.",
            "FATAL:  das Datenbanksystem startet",
            "致命错误:  数据库系统启动中",
        ] {
            assert!(is_away(&tcp(said)), "{said}");
        }
        assert!(is_away(socket));
        assert!(is_away("could not translate host name \"db\" to address: Name or service not known\n"));
        assert!(is_away(&(tcp("session is read-only") + &tcp("Connection refused") + socket)));
    }

    #[test]
    fn a_connection_that_the_url_makes_impossible_is_not_away() {
        for said in [
            "FATAL:  password authentication failed for user \"bolts\"",
            "FATAL:  Passwort-Authentifizierung für Benutzer »bolts« fehlgeschlagen",
            "FATAL:  authentification par mot de passe échouée pour l'utilisateur  « bolts »",
            "FATAL:  database \"Connection refused\" does not exist",
            "FATAL:  no pg_hba.conf entry for host \"10.0.0.2\", user \"bolts\", database \"bolts\", no encryption",
            "fe_sendauth: no password supplied",
            "server does not support SSL, but SSL was required",
            "SSL error: certificate verify failed",
            "could not open certificate file \"/etc/bolts/client.crt\": No such file or directory",
        ] {
            assert!(!is_away(&tcp(said)), "{said}");
        }
        assert!(!is_away(""));
        assert!(!is_away("invalid port number: \"port\"\n"));
        let one_of_two =
            tcp("Connection refused") + &tcp("FATAL:  password authentication failed for user \"b\"");
        assert!(!is_away(&one_of_two));
    }
}
