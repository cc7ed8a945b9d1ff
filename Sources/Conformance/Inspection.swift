internal import HLS

extension InitializationFacts {
    /// Looks into an initialization section.
    ///
    /// - Parameters:
    ///   - bytes: The section.
    ///   - url: Where it came from.
    /// - Returns: What rules look at.
    package static func inspecting(_ bytes: [UInt8], url: String) -> InitializationFacts {
        var facts = InitializationFacts(url: url)
        do throws(SegmentError) {
            let inspection = try SegmentInspector.inspect(bytes)
            facts.inspection = inspection
            facts.samples = inspection.tracks.reduce(0) { $0 + ($1.samples ?? 0) }
            let parameters = MovieScan.parameters(bytes)
            let ranges = MovieScan.videoRanges(bytes)
            facts.tracks = inspection.tracks.map { track in
                var facts = TrackFacts(track)
                facts.parameters = parameters[track.number]
                facts.videoRange = ranges[track.number]
                return facts
            }
        } catch {
            facts.failure = error.description
        }
        facts.brands = MovieScan.brands(bytes)
        facts.hasMovieExtends = MovieScan.hasMovieExtends(bytes)
        return facts
    }
}

extension SegmentFacts {
    /// Looks into a segment.
    ///
    /// - Parameters:
    ///   - bytes: The segment.
    ///   - number: Its number in the playlist, from 0.
    ///   - url: Where it came from.
    ///   - initialization: Its initialization section; nil where it has none.
    /// - Returns: What rules look at.
    package static func inspecting(
        _ bytes: [UInt8],
        number: Int,
        url: String,
        initialization: InitializationFacts? = nil
    ) -> SegmentFacts {
        var facts = SegmentFacts(number: number, url: url, size: bytes.count)
        do throws(SegmentError) {
            let inspection = try SegmentInspector.inspect(bytes, initialization: initialization?.inspection)
            facts.layout = inspection.layout
            facts.tracks = inspection.tracks.map(TrackFacts.init)
            switch inspection.layout {
            case .transportStream:
                facts.scanTransport(bytes, inspection.tracks)
                if initialization?.inspection?.layout == .transportStream { facts.transport?.beginsWithTables = true }
            case .fragmentedMP4, .mp4: facts.scanMovie(bytes, initialization)
            case .webVTT: facts.subtitles = SubtitleFacts(bytes)
            case .packedAudio: break
            }
        } catch {
            facts.failure = error.description
        }
        return facts
    }

    private mutating func scanTransport(_ bytes: [UInt8], _ streams: [SegmentTrack]) {
        let scan = TransportScan(bytes, tracks: streams)
        transport = scan.facts
        for index in tracks.indices {
            guard let head = scan.heads[tracks[index].number] else { continue }
            switch tracks[index].codec {
            case "h264", "hevc":
                let picture = PictureHead(startCodes: head, isHEVC: tracks[index].codec == "hevc")
                if startsWithIDR == nil { startsWithIDR = picture.isIDR }
                tracks[index].parameters = picture.parameters
                tracks[index].coding = picture.coding
            case "aac":
                guard head.count > 3, head[0] == 0xFF else { continue }
                tracks[index].coding = UInt64(head[2]) << 8 | UInt64(head[3] & 0xC0)
                tracks[index].parameters = "mp4a.40.\((head[2] >> 6) + 1)"
            default: break
            }
        }
    }

    private mutating func scanMovie(_ bytes: [UInt8], _ initialization: InitializationFacts?) {
        for index in tracks.indices {
            let number = tracks[index].number
            let fragment = MovieScan.fragment(bytes, track: number)
            tracks[index].zeroDurations = fragment.zeroDurations
            let known = initialization?.tracks.first { $0.number == number }
            (tracks[index].parameters, tracks[index].videoRange) = (known?.parameters, known?.videoRange)
            let codec = tracks[index].codec
            guard tracks[index].kind == .video, codec == "h264" || codec == "hevc", let sample = fragment.sample else {
                continue
            }
            let picture = PictureHead(lengths: sample, isHEVC: codec == "hevc")
            tracks[index].coding = picture.coding
            if startsWithIDR == nil { startsWithIDR = picture.isIDR }
        }
    }
}
