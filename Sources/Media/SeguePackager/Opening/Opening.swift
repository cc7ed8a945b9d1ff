internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg

/// Opens a file: reads its index, selects the served streams, and plans the segments.
struct Opening {
    let path: String
    let cancellation: Cancellation
    let pool: InputPool
    var device = DeviceProfile.any
    /// The requested container; nil for the best one.
    var container: SegmentContainer?
    /// The limits for transcoded video; nil for the device's.
    var limits: VideoLimits?
    /// True if the file is being written, or was when it was first opened: a track that ends early may go on.
    var isGrowing = false
    /// The earlier scans of a file that grows; nil for any other file.
    var scans: FileScans?

    /// The result of opening.
    struct Result {
        var source: MediaDescription
        var tracks: FileTracks
        var plan: SegmentPlan
        /// The target of the decisions.
        var recipient: Recipient
        var indexing: IndexingReport
    }

    func run() throws -> Result {
        let indexed = try Indexing(path: path, cancellation: cancellation, pool: pool, scans: scans).run()
        let input = indexed.input
        let index = indexed.index.withTrueFrameRates.withoutVerdict(onSubtitles: isGrowing)
        input.correct(index.streams.mapValues(\.info))
        let source = MediaDescription(input)
        guard !index.streams.isEmpty, !isStillPicture(source) else {
            throw PackagingError(.nothingPlayable, file: path, nothing(source, index))
        }
        let choice = StreamChoice(index: index)
        let recipient = Recipient(device: device, wished: container, choice: choice)
        // Video is opened in parallel with audio.
        let openedVideo = choice.video.map { film in
            ValueAhead { Swift.Result { try place(film, in: index, recipient) } }
        }
        let opening = AudioOpening(
            file: path,
            index: index,
            recipient: recipient,
            pool: pool,
            cancellation: cancellation,
            isGrowing: isGrowing
        )
        let openedAudio = try opening.choose(from: choice.audio)
        var video = try openedVideo?.value.get()
        let best = try? openedAudio.best?.get().stream.index
        let used = Set(openedAudio.others + [choice.video?.info.index, best].compactMap { $0 })
        let others = openedAudio.others.compactMap { index.streams[$0]?.extent }
        let plan = { (video: inout Swift.Result<VideoTrack, PackagingError>?) in
            let (film, audio) = (try? video?.get(), try? openedAudio.best?.get())
            let end = { fallbackEnd(index) }
            let planner = Planner(video: film, audio: audio, otherAudio: others, fallbackEnd: end, file: path)
            let (plan, obstacle) = planner.plan()
            if let obstacle { video = .failure(obstacle) }
            return plan
        }
        var cuts = plan(&video)
        if case .failure(let obstacle) = video, obstacle.reason == .sparseKeyframes, let film = choice.video {
            video = try place(film, in: index, recipient, insteadOfCopying: obstacle)
            cuts = plan(&video)
        }
        if let track = try? video?.get(), let longer = try held(track, of: index, for: recipient, in: cuts) {
            video = .success(longer)
            cuts = plan(&video)
        }
        let audio = try opening.cut(openedAudio.best, cuts)
        return Result(
            source: source,
            tracks: FileTracks(
                index: index.keeping(used),
                video: video.map { $0.map { CutVideo($0, cuts) } },
                audio: audio,
                otherAudio: openedAudio.others,
                refusedAudio: openedAudio.refused.merging(silent(source, index)) { known, _ in known }
            ),
            plan: cuts,
            recipient: recipient,
            indexing: indexed.report
        )
    }

    /// The video with its first and last frames held where other tracks begin earlier or end later; nil if it needs none,
    /// or cannot be decoded.
    private func held(
        _ video: VideoTrack,
        of index: FileIndex,
        for recipient: Recipient,
        in cuts: SegmentPlan
    ) throws -> VideoTrack? {
        guard let reason = HeldEnds.reason(for: video, in: cuts, isGrowing: isGrowing),
            let film = index.streams[video.stream.index]
        else {
            return nil
        }
        let obstacle = PackagingError(.videoNeedsTranscoding(codec: film.info.codec), file: path, reason)
        let range = cuts.origin..<cuts.origin + cuts.duration
        let longer = try place(film, in: index, recipient, insteadOfCopying: obstacle, held: range)
        return try? longer.get()
    }

    /// Errors for audio streams that the container declares without packets.
    private func silent(_ source: MediaDescription, _ index: FileIndex) -> [Int: PackagingError] {
        let empty = source.streams.filter { $0.kind == .audio && index.streams[$0.index]?.packets.isEmpty ?? true }
        let words = "the file declares the stream but has no packets of it"
        return Dictionary(
            empty.map { ($0.index, PackagingError(.noAudio, file: path, words)) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    private func isStillPicture(_ source: MediaDescription) -> Bool {
        source.container.hasSuffix("_pipe") || source.container == "image2"
    }

    private func nothing(_ source: MediaDescription, _ index: FileIndex) -> String {
        if isStillPicture(source) { return "the file is an image, not a video" }
        if let stop = index.stoppedBy { return "the file has no readable audio or video: \(stop)" }
        return "the file has no audio or video"
    }

    private func place(
        _ index: StreamIndex,
        in file: FileIndex,
        _ recipient: Recipient,
        insteadOfCopying obstacle: PackagingError? = nil,
        held: Range<Rational>? = nil
    ) throws -> Swift.Result<VideoTrack, PackagingError> {
        guard !index.isEncrypted else {
            return .failure(PackagingError(.encrypted, file: path, "the video is encrypted"))
        }
        if let words = recipient.device.obstacle(toDolbyVisionOf: index.info) {
            return .failure(PackagingError(.nothingPlayable, file: path, words))
        }
        guard index.info.canDecode else {
            return .failure(
                PackagingError(
                    .nothingPlayable,
                    file: path,
                    "libav has no decoder for the video codec \(index.info.codecWords)"
                )
            )
        }
        let reader = PacketReader(file: path, index: file, pool: pool, cancellation: cancellation)
        do {
            let filled = try DisplayOrder.filled(index, reader: reader, pool: pool)
            return .success(try track(filled, recipient, reader: reader, insteadOfCopying: obstacle, held: held))
        } catch let error as PackagingError where error.reason != .cancelled {
            return .failure(error)
        } catch let error as MediaError where error.isDecoderRefusal {
            let words = "the video (\(index.info.codec)) cannot be decoded: \(error.message)"
            return .failure(PackagingError(.nothingPlayable, file: path, words))
        }
    }

    /// Copies the video if the device supports it, otherwise transcodes it.
    ///
    /// Video that could be copied for another device is cut at the same positions as there. `obstacle` is an earlier
    /// reason against copying, and `held` the time range in which the first and the last frame are held.
    private func track(
        _ index: StreamIndex,
        _ recipient: Recipient,
        reader: PacketReader,
        insteadOfCopying obstacle: PackagingError?,
        held: Range<Rational>?
    ) throws -> VideoTrack {
        var reason = obstacle?.message ?? "players do not support \(index.info.codec)"
        var cuts: [Int64]?
        if obstacle == nil, ["h264", "hevc"].contains(index.info.codec) {
            do throws(PackagingError) {
                var copied = try VideoTrack(index, file: path)
                guard let words = changeOfCoding(index) ?? recipient.obstacle(toCopying: copied, index) else {
                    copied.dolbyVision = recipient.device.dolbyVision(of: index.info)
                    return copied
                }
                reason = words
                cuts = copied.cutTimes
            } catch {
                switch error.reason {
                case .sparseKeyframes, .videoNeedsTranscoding: reason = error.message
                default: throw error
                }
            }
        }
        if let vision = index.info.dolbyVision, !vision.hasPlainBase {
            let words = "the video is \(vision.words), whose colors libav cannot convert; it cannot be copied, because"
            throw PackagingError(.nothingPlayable, file: path, "\(words) \(reason)")
        }
        return try VideoTrack(
            transcoding: index,
            reason: reason,
            limits: limits ?? recipient.device.videoLimits,
            cuts: cuts,
            held: held,
            reader: reader
        )
    }

    /// Explains that video changes its size or profile, which one initialization segment cannot declare; nil if not.
    private func changeOfCoding(_ index: StreamIndex) -> String? {
        guard let packet = index.codingChange else { return nil }
        let times = [0, packet].map { index.packets[$0] }.map { $0.pts == IndexedPacket.unknown ? $0.dts : $0.pts }
        let time = times.contains(IndexedPacket.unknown) ? nil : Rational(times[1] - times[0]) * index.info.timeBase
        return "the video changes its coding" + (time.map { " at \($0.rounded(scale: 1)) s" } ?? "")
    }

    /// The end of the packets of any stream, for planning a file without playable tracks.
    private func fallbackEnd(_ index: FileIndex) -> Rational {
        index.streams.values.compactMap { $0.extent.map { $0.upperBound - $0.lowerBound } }.max() ?? .zero
    }
}

extension FileIndex {
    /// The index without empty subtitles for a growing file, whose cues may still come.
    fileprivate func withoutVerdict(onSubtitles isGrowing: Bool) -> FileIndex {
        var index = self
        if isGrowing { index.emptySubtitles = [] }
        return index
    }

    /// The index without the packets of other streams.
    fileprivate func keeping(_ numbers: Set<Int>) -> FileIndex {
        var index = self
        index.streams = streams.filter { numbers.contains($0.key) }
        return index
    }
}

/// The selection of a file's streams.
struct StreamChoice {
    /// The video, if there is one.
    let video: StreamIndex?
    /// The audio streams, the best first.
    let audio: [StreamIndex]

    init(index: FileIndex) {
        let ordered = index.streams.values.sorted { $0.info.index < $1.info.index }
        let films = ordered.filter { $0.info.kind == .video }
        video = films.max { left, right in
            (StreamChoice.rank(left.info), -left.info.index) < (StreamChoice.rank(right.info), -right.info.index)
        }
        let programs = Set(video?.info.programs ?? [])
        let audioStreams = ordered.filter { $0.info.kind == .audio }
        audio = audioStreams.sorted { left, right in
            let ranks = [left, right].map { stream in
                StreamChoice.rank(stream.info)
                    + (programs.isEmpty || !programs.isDisjoint(with: stream.info.programs) ? 8 : 0)
            }
            return (-ranks[0], left.info.index) < (-ranks[1], right.info.index)
        }
    }

    private static func rank(_ info: StreamInfo) -> Int {
        (info.isAuxiliary ? 0 : 4) + (info.isDefault ? 2 : 0) + (info.canDecode ? 1 : 0)
    }
}
