internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg

/// Turns a file's audio streams into tracks: copied if the device supports them, otherwise transcoded.
struct AudioOpening {
    let file: String
    let index: FileIndex
    let recipient: Recipient
    let pool: InputPool
    let cancellation: Cancellation
    /// True if the file is being written, so that its audio has no end yet.
    var isGrowing = false

    /// The outcome for a file's audio streams.
    struct Choice {
        /// The best servable track, or the error if none is; nil without audio.
        var best: Result<AudioTrack, PackagingError>?
        /// The other servable streams, in order.
        var others: [Int] = []
        /// The streams that cannot be served, with reasons.
        var refused: [Int: PackagingError] = [:]
    }

    /// Makes the first servable track from candidates in order of preference; later streams are only examined.
    func choose(from candidates: [StreamIndex]) throws -> Choice {
        var choice = Choice()
        for candidate in candidates {
            let number = candidate.info.index
            do {
                if case .success(let best) = choice.best {
                    // Audio of another broadcast program is not an alternative.
                    let programs = best.stream.programs
                    guard programs.isEmpty || !Set(programs).isDisjoint(with: candidate.info.programs) else {
                        throw PackagingError(
                            .noAudio,
                            file: file,
                            "the stream belongs to another program of the broadcast"
                        )
                    }
                    try check(candidate)
                    choice.others.append(number)
                } else {
                    choice.best = .success(try track(of: candidate))
                }
            } catch let error as PackagingError {
                if error.reason == .cancelled { throw error }
                choice.best = choice.best ?? .failure(error)
                choice.refused[number] = error
            }
        }
        return choice
    }

    /// Makes the track of a stream with the segment boundaries of a plan.
    func cut(_ stream: StreamIndex, _ plan: SegmentPlan) throws -> CutAudio { try cut(track(of: stream), plan) }

    /// Cuts the best track at the segment boundaries of a plan.
    func cut(
        _ best: Result<AudioTrack, PackagingError>?,
        _ plan: SegmentPlan
    ) throws -> Result<CutAudio, PackagingError>? {
        switch best {
        case .success(let track): .success(try cut(track, plan))
        case .failure(let error): .failure(error)
        case nil: nil
        }
    }

    /// Cuts a track at the segment boundaries of a plan.
    ///
    /// Audio that begins late, pauses, or ends early leaves segments empty, or timestamps for which players wait. It is
    /// transcoded, with silence there.
    func cut(_ track: AudioTrack, _ plan: SegmentPlan) throws -> CutAudio {
        guard let stream = index.streams[track.stream.index] else { return CutAudio(track, plan) }
        let silence = NeededSilence(plan, isGrowing: isGrowing)
        switch track.source {
        case .transcoded(let map, let reason):
            guard silence.isAtEnds(of: track),
                let longer = AudioTrack(transcoding: stream, map: map.covering(silence.range), reason: reason)
            else { return CutAudio(track, plan) }
            return CutAudio(longer, plan)
        case .copied(let coding, _):
            let cut = CutAudio(track, plan)
            guard track.stream.canDecode, let reason = silence.reason(in: track, frame: Int64(coding.frame), cut)
            else { return cut }
            return try self.cut(self.track(of: stream, insteadOfCopying: reason), plan)
        }
    }

    /// Makes the track of a stream; a transcoded one is decoded once completely.
    private func track(of stream: StreamIndex, insteadOfCopying obstacle: String? = nil) throws -> AudioTrack {
        try check(stream)
        let reason: String
        switch recipient.coding(of: stream) {
        case .success(let coding):
            if obstacle == nil, let track = AudioTrack(copying: stream, as: coding) { return track }
            reason = obstacle ?? "all of its packets are discarded"
        case .failure(let obstacle): reason = obstacle.words
        }
        let reader = PacketReader(file: file, index: index, pool: pool, cancellation: cancellation)
        let map: AudioMap
        let limits = recipient.device.audioLimits
        do {
            map = try pool.findings.value(
                "sound/\(stream.info.index)\(limits == .standard ? "" : " \(limits)")",
                read: { KeptIndex.audioMap($0, of: stream, limits: limits) },
                write: KeptIndex.bytes(of:),
                find: { try AudioMap.make(stream, limits: limits, reader: reader) }
            )
        } catch {
            throw PackagingError.wrapping(error, file: file)
        }
        guard let track = AudioTrack(transcoding: stream, map: map, reason: reason) else {
            throw PackagingError(
                .nothingPlayable,
                file: file,
                "decoding the audio (\(stream.info.codec)) gives no samples"
            )
        }
        return track
    }

    /// Throws for an unreadable stream.
    private func check(_ stream: StreamIndex) throws(PackagingError) {
        if stream.isEncrypted { throw PackagingError(.encrypted, file: file, "the audio is encrypted") }
        guard !stream.info.canDecode, case .failure(let obstacle) = recipient.coding(of: stream) else { return }
        let words = "libav has no decoder for the audio codec \(stream.info.codecWords)"
        let isKnown = (try? CopiedCoding.of(stream).get()) != nil
        throw PackagingError(.nothingPlayable, file: file, isKnown ? "\(words), and \(obstacle.words)" : words)
    }
}

extension StreamInfo {
    /// The names of codecs that libav does not know, by the tags of sample entries.
    private static let unknownCodecs = [
        "ac-4": "AC-4", "mha1": "MPEG-H Audio", "mhm1": "MPEG-H Audio", "dtsx": "DTS:X", "iamf": "Immersive Audio",
    ]

    /// The codec's name from libav, or else from the container.
    package var codecWords: String {
        if isExtendedHighEfficiency { return "xHE-AAC" }
        guard codec == "none" else { return codec }
        let letters = (0..<4).map { UInt8(truncatingIfNeeded: codecTag >> ($0 * 8)) }
        let isPlain = letters.allSatisfy { (33..<127).contains($0) }
        let tag = String(decoding: letters, as: UTF8.self)
        return isPlain ? Self.unknownCodecs[tag] ?? "‘\(tag)’" : "(unknown)"
    }
}
