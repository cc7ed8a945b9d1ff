/// A request and what it was answered with, for a log.
package struct OriginExchange: Sendable {
    /// What was asked.
    package var request: OriginRequest

    /// What was answered.
    package var response: OriginResponse
}
