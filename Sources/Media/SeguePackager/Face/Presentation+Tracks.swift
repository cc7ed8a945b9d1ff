package import SegueBase
package import SegueConcurrency
package import SegueFFmpeg
internal import Synchronization

extension Presentation {
    package var device: DeviceProfile { recipient.device }

    /// Returns the served audio streams, the best first; each is a rendition.
    ///
    /// The first call examines the other streams and decodes those completely that cannot be copied.
    package func audioTracks(cancellation: Cancellation) throws(PackagingError) -> [StreamInfo] {
        guard let best = tracks.playableAudio else { return [] }
        var result = [best.stream]
        for number in tracks.otherAudio {
            do {
                result.append(try audio(number, cancellation).track.stream)
            } catch {
                if error.reason == .cancelled { throw error }
            }
        }
        return result
    }

    /// The first frame of each nonempty segment: the segment's number and the time until the next one.
    package func keyframes() throws(PackagingError) -> [(segment: Int, duration: Rational)] {
        guard let video = try tracks.contents(of: .keyframes, plan: plan, file: identity.path).video else { return [] }
        let keyframes = plan.segments.indices.compactMap { number in
            video.keyframe(number).map { (number, Rational($0.start, video.track.timescale) - plan.origin) }
        }
        let ends = keyframes.dropFirst().map(\.1) + [plan.duration]
        return zip(keyframes, ends).map { ($0.0, $1 - $0.1) }
    }

    /// The reason why cover art is not served as video, once known.
    package var refusedArtwork: PackagingError? {
        guard case .failure(let error) = artwork.withLock({ $0 }) else { return nil }
        return error
    }

    /// The cover art as video, made on first use; nil if there is none.
    private func artwork(_ cancellation: Cancellation) throws(PackagingError) -> StillImage? {
        guard let stream = artworkStream else { return nil }
        // The first caller makes it; concurrent callers wait.
        return try drawing.withLock { _ throws(PackagingError) in try artwork(of: stream, cancellation) }
    }

    private func artwork(
        of stream: StreamInfo,
        _ cancellation: Cancellation
    ) throws(PackagingError) -> StillImage? {
        if let known = artwork.withLock({ $0 }) { return try? known.get() }
        try checkIdentity()
        let found: Result<StillImage, PackagingError>
        do {
            found = .success(
                try StillImage(
                    of: stream,
                    file: identity.path,
                    limits: device.videoLimits,
                    plan: plan,
                    cancellation: cancellation
                )
            )
        } catch {
            let failure = PackagingError.wrapping(error, file: identity.path)
            if [.cancelled, .changed].contains(failure.reason) { throw failure }
            found = .failure(failure)
        }
        artwork.withLock { $0 = found }
        return try? found.get()
    }

    /// The audio streams that are not served, with reasons, as far as examined.
    package var refusedAudio: [Int: PackagingError] {
        var result = tracks.refusedAudio
        for (number, audio) in otherAudio.withLock({ $0 }) {
            if case .failure(let error) = audio { result[number] = error }
        }
        return result
    }

    /// The sources of a rendition.
    func contents(
        of rendition: Rendition,
        in container: SegmentContainer,
        cancellation: Cancellation
    ) throws(PackagingError) -> RenditionContents {
        var tracks = tracks
        if case .track(let number) = rendition.audio { tracks.audio = .success(try audio(number, cancellation)) }
        if rendition.hasVideo, tracks.video == nil, let image = try artwork(cancellation) {
            let scale = tracks.playableAudio?.clockRate ?? 90000
            let track = VideoTrack(still: image, plan: plan, timescale: scale)
            tracks.video = .success(CutVideo(still: track, plan))
        }
        if let version = FilmVersion(rendition) { tracks.video = .success(try film(version, cancellation)) }
        let contents = try tracks.contents(of: rendition, plan: plan, file: identity.path)
        try contents.check(container, among: containers, for: device, file: identity.path)
        return contents
    }

    /// The track of an audio stream; the best one is made on opening, others on first use.
    private func audio(_ number: Int, _ cancellation: Cancellation) throws(PackagingError) -> CutAudio {
        if let best = try? tracks.audio?.get(), best.track.stream.index == number { return best }
        if let known = otherAudio.withLock({ $0[number] }) { return try known.get() }
        if let refusal = tracks.refusedAudio[number] { throw refusal }
        guard tracks.otherAudio.contains(number), let stream = tracks.index.streams[number] else {
            throw PackagingError(.noAudio, file: identity.path, "stream \(number) is not audio")
        }
        try checkIdentity()
        let opening = AudioOpening(
            file: identity.path,
            index: tracks.index,
            recipient: recipient,
            pool: pool,
            cancellation: cancellation,
            isGrowing: identity.growsFrom != nil
        )
        let found: Result<CutAudio, PackagingError>
        do {
            found = .success(try opening.cut(stream, plan))
        } catch {
            let failure = PackagingError.wrapping(error, file: identity.path)
            // These errors are not about the track.
            if [.cancelled, .changed, .unreadable].contains(failure.reason) { throw failure }
            found = .failure(failure)
        }
        otherAudio.withLock { $0[number] = found }
        return try found.get()
    }

    func checkIdentity() throws(PackagingError) { try identity.check() }
}
