internal import SegueBase
internal import SeguePlaylists

/// Loads what the samples of one playlist need besides their segments: initialization sections and keys.
struct SampleLoads: Sendable {
    /// A resource that a sample needs.
    private struct Need: Sendable, Hashable {
        let url: String
        let span: HTTPFacts.Span?
    }

    private struct Waiting: Sendable {
        var sample: MediaSample
        let map: Need?
        /// The URLs of the keys by their URIs.
        let keys: [String: Need]
    }

    /// The maximum number of samples that wait for other resources.
    private static let waitingLimit = 4
    private static let keptLimit = 8
    private static let byteLimit = 16 << 20

    private var waiting: [Waiting] = []
    private var kept: [(need: Need, bytes: [UInt8])] = []
    private var open: Set<Need> = []

    /// Returns true if a request is open.
    func awaits(_ response: WatchResponse) -> Bool { open.contains(Need(url: response.url, span: response.span)) }

    /// Adds a loaded segment.
    ///
    /// - Returns: The samples that are complete, and further requests.
    mutating func add(
        _ sample: MediaSample,
        _ entry: MediaSegment,
        from base: URIReference.Base
    ) -> (complete: [MediaSample], requests: [WatchRequest]) {
        let map = entry.map.map { map in
            Need(
                url: base.resolve(map.uri),
                span: map.byteRange.map { HTTPFacts.Span(offset: $0.offset, length: $0.length) }
            )
        }
        let keys = (entry.keys + (entry.map?.keys ?? [])).filter {
            $0.method == "AES-128" && $0.keyFormat == "identity"
        }
        let needs = Dictionary(keys.map { ($0.uri, Need(url: base.resolve($0.uri), span: nil)) }) { first, _ in first }
        waiting.append(Waiting(sample: sample, map: map, keys: needs))
        if waiting.count > Self.waitingLimit { waiting.removeFirst() }
        let missing = ([map].compactMap(\.self) + needs.values).filter { need in
            need.url.hasPrefix("http") && !kept.contains { $0.need == need } && !open.contains(need)
        }
        open.formUnion(missing)
        return (
            complete(),
            missing.sorted { $0.url < $1.url }.map { need in
                var request = WatchRequest(
                    method: .get,
                    url: need.url,
                    at: sample.ended,
                    patience: .seconds(15),
                    mayBlock: false,
                    most: Self.byteLimit
                )
                request.span = need.span
                return request
            }
        )
    }

    /// Handles a response; returns the samples that are now complete.
    mutating func take(_ response: WatchResponse) -> [MediaSample] {
        let need = Need(url: response.url, span: response.span)
        guard open.remove(need) != nil else { return [] }
        if response.isThere, !response.bytes.isEmpty {
            kept.append((need, response.part))
            if kept.count > Self.keptLimit { kept.removeFirst() }
        }
        return complete()
    }

    /// Returns the samples that wait for nothing more.
    private mutating func complete() -> [MediaSample] {
        let all = waiting
        waiting = []
        return all.compactMap { each in
            let needs = [each.map].compactMap(\.self) + each.keys.values
            guard !needs.contains(where: open.contains) else {
                waiting.append(each)
                return nil
            }
            var sample = each.sample
            sample.initialization = each.map.flatMap(bytes)
            for (uri, need) in each.keys { sample.keys[uri] = bytes(need) }
            return sample
        }
    }

    private func bytes(_ need: Need) -> [UInt8]? { kept.last { $0.need == need }?.bytes }

    mutating func forget() { (waiting, open) = ([], []) }
}
