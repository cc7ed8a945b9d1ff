internal import SegueConformance
internal import SegueOrigin
internal import SeguePackager

/// Checks what the server delivers of a file by the rules of HLS, once per rendition.
struct FileSpecificationCheck {
    private let origin: ItemOrigin
    private let memory: FileMemory?
    private let progress: FileProgress
    private let segments: InspectedSegments
    private let waivers: [Waiver]
    private var results: [Rendition: SpecificationCheck] = [:]

    /// The maximum number of segments of each playlist that no comparison reads, such as those of I-frames.
    private static let mostOthers = 2

    init(
        _ origin: ItemOrigin,
        segments: InspectedSegments,
        memory: FileMemory?,
        progress: FileProgress,
        waiving waivers: [Waiver]
    ) {
        (self.origin, self.segments, self.memory) = (origin, segments, memory)
        (self.progress, self.waivers) = (progress, waivers)
    }

    /// The findings for a rendition that the server provides, after its content was compared.
    mutating func findings(of rendition: Rendition, in profile: RequirementProfile) -> [Finding] {
        guard profile != .none else { return [] }
        let name = "hls \(rendition.rawValue)"
        let known = results[rendition] ?? memory?.recall(SpecificationCheck.self, name, of: .place)?.value
        let result = known ?? check(rendition, as: name)
        results[rendition] = result
        return result.findings(in: profile)
    }

    private func check(_ rendition: Rendition, as name: String) -> SpecificationCheck {
        var options = ValidationOptions()
        options.wait = { _ in }
        options.inspected = { [segments] in segments.segment(at: $0) }
        if !segments.isEmpty { options.mostOthers = Self.mostOthers }
        // The full rendition is part of the multivariant playlist that players get.
        let url = rendition == .full ? origin.usualMultivariantPlaylist : origin.playlist(of: rendition)
        do {
            let fetcher = ItemOriginFetcher(origin: origin, progress: progress)
            let loader = try PresentationLoader(url, by: fetcher, options: options)
            let result = try SpecificationCheck(loader, waiving: waivers, base: origin.itemBase)
            memory?.keep(result, as: name, of: .place, words: result.words, isDoubtful: result.isDoubtful)
            return result
        } catch {
            // It may succeed at another time, so it is not stored.
            return SpecificationCheck(failure: "\(error)")
        }
    }
}
