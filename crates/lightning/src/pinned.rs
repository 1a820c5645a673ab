//! TLS connections to LND: exactly one certificate is trusted.

use std::sync::Arc;

use reqwest::ClientBuilder;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, SignatureScheme};

use crate::BadOption;

/// Trusts exactly one certificate, whatever issuer and host names it contains. LND signs its own certificate and marks
/// it as an authority. The usual verifiers refuse such a certificate for a server.
#[derive(Debug)]
struct Pinned {
    certificate: CertificateDer<'static>,
    provider: Arc<CryptoProvider>,
}

/// A builder for HTTP clients that connect only to the server with this certificate (PEM).
///
/// # Errors
/// [`BadOption`] if the file does not contain exactly one certificate.
pub(crate) fn only(certificate_pem: &[u8]) -> Result<ClientBuilder, BadOption> {
    let bad = |why: &str| BadOption(format!("the TLS certificate of LND {why}"));
    let mut certificates = CertificateDer::pem_slice_iter(certificate_pem);
    let certificate = match (certificates.next(), certificates.next()) {
        (Some(Ok(certificate)), None) => certificate,
        (Some(Ok(_)), Some(_)) => return Err(bad("must be one alone")),
        (Some(Err(_)) | None, _) => return Err(bad("is not one in PEM")),
    };
    let provider = Arc::new(ring::default_provider());
    let verifier = Arc::new(Pinned { certificate, provider: provider.clone() });
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| bad(&format!("cannot be used: {error}")))?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    Ok(reqwest::Client::builder().use_preconfigured_tls(config).https_only(true))
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if *end_entity == self.certificate {
            Ok(ServerCertVerified::assertion())
        } else {
            Err(Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure))
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
