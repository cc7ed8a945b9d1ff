import SegueBase
import SegueContainers
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

/// A low-latency stream with another initialization section from segment 12 on, which begins after 8 s.
@Suite struct `Hints of initialization sections` {
    private func rig(
        hint: String?,
        from hinted: Double = 6,
        map: String = "#EXT-X-MAP:URI=\"second.ts\"\n",
        instead: @escaping (FetchRequest, Instant) -> MemoryFetcher.Answer? = { _, _ in nil }
    ) throws -> Rig {
        var title = LowLatencyTitle(control: "CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=3")
        title.heads = { $0 == 0 ? "#EXT-X-MAP:URI=\"first.ts\"\n" : $0 == 12 ? map : "" }
        title.tail = { now in
            guard let hint, now.seconds > hinted - 0.5, now.seconds < 8.5 else { return "" }
            return "#EXT-X-PRELOAD-HINT:TYPE=MAP,\(hint)\n"
        }
        return title.rig(try Shipped.platform("ios-15")) { request, now in
            if let other = instead(request, now) { return other }
            guard request.url.hasSuffix("first.ts") || request.url.hasSuffix("second.ts") else { return nil }
            return (200, TransportStream.segment(hasVideo: true, hasAudio: true, size: 1880))
        }
    }

    /// The requests for initialization sections, with their times.
    private func maps(_ rig: Rig) -> [(name: String, at: Double)] {
        rig.runner.log.events.compactMap { event in
            guard case .requestBegan(_, let url, "map") = event.kind else { return nil }
            return (String(url.split(separator: "/").last ?? ""), event.at.seconds)
        }
    }

    private func errors(_ rig: Rig) -> [String] {
        rig.kinds.compactMap { if case .errorLogEntry(_, _, _, _, _, let comment) = $0 { comment } else { nil } }
    }

    private func isWhole(_ rig: Rig) -> Bool {
        let heard = rig.trail.stretches(at: rig.loop.now)
        return heard.last.map { $0.end > .seconds(52) } == true && heard.count == 1
    }

    @Test func `a hinted section is requested once before a segment needs it, and used for that segment`() throws {
        let rig = try rig(hint: "URI=\"second.ts\"")
        var delivered: [String] = []
        rig.runner.delivered = { resource, _ in
            if case .map = resource.kind { delivered.append(String(resource.url.split(separator: "/").last ?? "")) }
        }
        rig.runner.run(until: Instant(seconds: 20.5))
        let asked = maps(rig)
        #expect(asked.map(\.name) == ["first.ts", "second.ts"])
        #expect(asked.last.map { $0.at > 6 && $0.at < 6.2 } == true, "\(asked)")
        #expect(delivered == ["first.ts", "second.ts"])
        #expect(errors(rig) == [] && isWhole(rig))
        let without = try self.rig(hint: nil)
        without.runner.run(until: Instant(seconds: 20.5))
        #expect(maps(without).last.map { $0.name == "second.ts" && $0.at > 9 } == true, "\(maps(without))")
    }

    @Test func `a segment waits for a hinted section that is loading`() throws {
        let rig = try rig(hint: "URI=\"second.ts\"")
        let hold = rig.fetcher.hold
        rig.fetcher.hold = { $0.url.hasSuffix("second.ts") ? .milliseconds(3500) : hold($0) }
        rig.runner.run(until: Instant(seconds: 20.5))
        #expect(maps(rig).map(\.name) == ["first.ts", "second.ts"])
        #expect(errors(rig) == [] && isWhole(rig))
    }

    @Test(arguments: [
        "URI=\"third.ts\"", "URI=\"second.ts\",BYTERANGE-START=0,BYTERANGE-LENGTH=188",
        "URI=\"second.ts\",BYTERANGE-START=188,BYTERANGE-LENGTH=188",
    ])
    func `a wrong hint is discarded and logged once, and the right section is requested by its URL`(hint: String) throws
    {
        let rig = try rig(
            hint: hint,
            instead: { request, _ in
                let isOther = request.url.hasSuffix("third.ts") || request.range != nil
                return isOther ? (200, TransportStream.segment(hasVideo: true, hasAudio: true, size: 188)) : nil
            }
        )
        rig.runner.run(until: Instant(seconds: 20.5))
        #expect(maps(rig).count == 3, "\(maps(rig))")
        #expect(maps(rig).last?.name == "second.ts")
        #expect(errors(rig).count == 1, "\(errors(rig))")
        #expect(isWhole(rig))
    }

    @Test func `a failed hint is not repeated until a segment needs the section`() throws {
        let rig = try rig(
            hint: "URI=\"second.ts\"",
            instead: { request, now in request.url.hasSuffix("second.ts") && now.seconds < 8 ? (404, []) : nil }
        )
        rig.runner.run(until: Instant(seconds: 20.5))
        #expect(maps(rig).map(\.name) == ["first.ts", "second.ts", "second.ts"])
        #expect(maps(rig).last.map { $0.at > 9 } == true)
        #expect(errors(rig).count == 1 && isWhole(rig))
    }

    @Test func `the section in use, and one without an end, are not requested`() throws {
        for hint in ["URI=\"first.ts\"", "URI=\"second.ts\",BYTERANGE-START=188"] {
            let rig = try rig(hint: hint)
            rig.runner.run(until: Instant(seconds: 20.5))
            #expect(maps(rig).map(\.name) == ["first.ts", "second.ts"])
            #expect(maps(rig).last.map { $0.at > 9 } == true, "\(maps(rig))")
            #expect(isWhole(rig))
        }
    }
}
