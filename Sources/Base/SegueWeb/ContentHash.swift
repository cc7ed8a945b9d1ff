internal import Crypto
internal import Foundation

/// The hash by which a security policy allows an inline style or script (Content Security Policy Level 3, section 2.3.1).
package enum ContentHash {
    /// Returns the source expression of a text, such as `'sha256-…'`.
    package static func source(of text: String) -> String {
        "'sha256-\(Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString())'"
    }
}
