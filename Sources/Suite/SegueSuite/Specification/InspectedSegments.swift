internal import SegueConformance
internal import SegueFetch
internal import Synchronization

/// The segments of a file's renditions, inspected by the rules of HLS when the comparison fetches them.
final class InspectedSegments: Sendable {
    private struct State {
        var segments: [String: InspectedSegment] = [:]
        var initializations: [String: InitializationFacts] = [:]
    }

    private let state = Mutex(State())

    /// True if no segment was inspected.
    var isEmpty: Bool { state.withLock(\.segments.isEmpty) }

    /// Inspects a segment unless it was inspected before.
    ///
    /// `map` is the URL and the bytes of its initialization section; nil without one.
    func inspect(
        _ answer: (response: FetchResponse, bytes: [UInt8]),
        at url: String,
        map: (url: String, bytes: [UInt8])?
    ) {
        guard state.withLock({ $0.segments[url] == nil }) else { return }
        let segment = InspectedSegment(
            at: url,
            headers: answer.response.headers,
            bytes: answer.bytes,
            initialization: map.map(initialization)
        )
        state.withLock { $0.segments[url] = segment }
    }

    private func initialization(_ url: String, _ bytes: [UInt8]) -> InitializationFacts {
        if let known = state.withLock({ $0.initializations[url] }) { return known }
        let facts = InitializationFacts.inspecting(bytes, url: url)
        state.withLock { $0.initializations[url] = facts }
        return facts
    }

    /// The segment at a URL; nil if it was not inspected.
    func segment(at url: String) -> InspectedSegment? { state.withLock { $0.segments[url] } }
}
