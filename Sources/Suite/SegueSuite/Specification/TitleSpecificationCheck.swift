internal import SegueConformance
internal import SegueFetch
internal import SegueVerification

/// Checks what a title's server delivers by the rules of HLS, once per stream.
struct TitleSpecificationCheck {
    private let title: Title
    private let plan: TitlePlan
    private let origin: TitleOrigin
    private var results: [String: SpecificationCheck] = [:]

    /// The maximum number of loaded bytes of a title.
    private static let mostBytes = 1 << 30

    /// The maximum time for decoding segments that are not compared with a source.
    private static let longestDecoding = Duration.seconds(120)

    init(_ title: Title, _ plan: TitlePlan, origin: TitleOrigin) {
        (self.title, self.plan, self.origin) = (title, plan, origin)
    }

    /// The findings for the playlists that a scenario's players may load.
    mutating func findings(for scenario: Scenario, in profile: RequirementProfile) -> [Finding] {
        // A plain file has no playlist.
        guard profile != .none, !plan.streams.isEmpty else { return [] }
        var urls = [title.url]
        // The audio-only stream may be a part of the title.
        if scenario.hasBackground, let background = plan.background?.url,
            !plan.streams.contains(where: { $0.url == background })
        {
            urls.append(background)
        }
        return urls.flatMap { url in
            let result = results[url] ?? check(url)
            results[url] = result
            return result.findings(in: profile)
        }
    }

    private func check(_ url: String) -> SpecificationCheck {
        var options = ValidationOptions()
        (options.width, options.mostBytes) = (1, Self.mostBytes)
        // The comparison with a source decodes all segments.
        if title.source == nil { options.decoder = { SegmentDecoder(within: Self.longestDecoding) } }
        do {
            return try SpecificationCheck(PresentationLoader(url, by: TitleFetcher(origin: origin), options: options))
        } catch {
            return SpecificationCheck(failure: "\(error)")
        }
    }
}

/// A title's server as the validator's client.
private struct TitleFetcher: TimedFetching {
    let origin: TitleOrigin

    func timed(_ request: FetchRequest) -> TimedAnswer { origin.exchange(request) }
}
