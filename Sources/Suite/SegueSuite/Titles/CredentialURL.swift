internal import Foundation
internal import SegueFetch

/// A URL that says who asks, taken apart: `http://name:password@host/` is asked without that part.
struct CredentialURL {
    /// The URL without it.
    let url: String

    /// Who asks; nil where the URL does not say.
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
