package import SegueFetch

/// The client of a title's server.
package protocol TitleServer: AnyObject {
    /// Requests a resource, and waits until it is complete or has failed.
    ///
    /// - Returns: The response, with the failure if there was one.
    func ask(_ request: FetchRequest) -> TimedAnswer
}
