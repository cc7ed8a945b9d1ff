/// A future event of a simulated fetcher.
enum FetchTimer {
    /// The client is ready to send a request.
    case started(FetchID)
    case resolved(String)
    case patience(FetchID)
    case failure(FetchID, FetchError)
    /// The server sends more of the body.
    case more(FetchID, bytes: Int)
    /// The connection closes after the body.
    case ending(FetchID)
}
