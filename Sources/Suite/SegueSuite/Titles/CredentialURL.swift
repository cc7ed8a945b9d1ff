internal import Foundation
internal import SegueFetch

/// A URL split from its credentials: `http://name:password@host/` is requested without them.
struct CredentialURL {
    /// The URL without credentials.
    let url: String

    /// The credentials; nil without any.
    let credential: FetchCredential?

    init(_ url: String) {
        guard var parts = URLComponents(string: url), let user = parts.user else {
            (self.url, credential) = (url, nil)
            return
        }
        credential = FetchCredential(user: user, password: parts.password ?? "")
        (parts.user, parts.password) = (nil, nil)
        self.url = parts.string ?? url
    }
}
