/// A request and its response, for a log.
package struct OriginExchange: Sendable {
    package var request: OriginRequest

    package var response: OriginResponse
}
