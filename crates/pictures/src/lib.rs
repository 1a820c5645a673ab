//! Decodes the pictures of users and encodes them anew, so that a stored file has nothing but pixels: no metadata, no
//! hidden parts, no script (`docs/product.md#messages`).

mod cleaning;
mod riff;
mod worker;

pub use cleaning::clean;
pub use worker::PictureWorker;
