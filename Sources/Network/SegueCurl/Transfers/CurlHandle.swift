internal import CSegueCurl
internal import SegueFetch

/// An easy handle of libcurl, with the memory that it refers to.
final class CurlHandle {
    private static let errorSize = Int(CURL_ERROR_SIZE)

    let easy: UnsafeMutableRawPointer
    let errorText: UnsafeMutablePointer<CChar>
    /// The header fields of the request.
    var headers: UnsafeMutablePointer<curl_slist>?
    /// The status lines that count as HTTP.
    var aliases: UnsafeMutablePointer<curl_slist>?

    /// - Throws: ``FetchError`` if the memory is exhausted.
    init() throws(FetchError) {
        guard let easy = curl_easy_init() else { throw FetchError(.other, "curl_easy_init: out of memory") }
        self.easy = easy
        errorText = .allocate(capacity: Self.errorSize)
        errorText.initialize(repeating: 0, count: Self.errorSize)
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(headers)
        curl_slist_free_all(aliases)
        errorText.deallocate()
    }
}
