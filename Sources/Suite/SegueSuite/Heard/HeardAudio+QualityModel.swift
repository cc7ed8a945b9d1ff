internal import SegueBase
package import SegueCharts
internal import SegueFFmpeg
internal import SeguePlayerModel

extension HeardAudio {
    /// The input of the ITU-T P.1203 model for the run: the played parts of segments in order, and the stalls.
    ///
    /// `quality` is the quality from the log of the same run.
    ///
    /// - Throws: ``HeardAudioError`` if delivered media cannot be read back.
    package func qualityModelInput(_ quality: PlaybackQuality) throws -> QualityModelInput {
        var input = QualityModelInput()
        var stalls = quality.stalls[...]
        input.stalling.stalling = [[0, quality.startup ?? 0].map(HeardAudio.rounded)]
        var played = 0.0
        for stretch in all {
            for role in [StreamRole.main, .audio] {
                for piece in source.pieces(of: stretch, role) { try add(piece, of: stretch, at: played, to: &input) }
            }
            played += stretch.length.seconds
            while let stall = stalls.first, stall.at <= stretch.ended.seconds + 0.001 {
                input.stalling.stalling.append([played, stall.seconds].map(HeardAudio.rounded))
                stalls.removeFirst()
            }
        }
        return input
    }

    /// Adds the played part of a segment.
    private func add(
        _ piece: DeliveredMedia.Piece,
        of stretch: AudioTrail.Stretch,
        at played: Double,
        to input: inout QualityModelInput
    ) throws {
        let low = max(piece.start, stretch.start)
        let high = min(piece.end, stretch.end)
        guard low < high else { return }
        let start = HeardAudio.rounded(played + (low - stretch.start).seconds)
        let duration = HeardAudio.rounded((high - low).seconds)
        for track in try source.tracks(of: piece, in: stretch.item) {
            let length = piece.isWhole ? max(track.seconds, duration) : piece.duration.seconds
            let bitrate = HeardAudio.rounded(Double(track.bytes) * 8 / 1000 / length)
            switch track.stream.kind {
            case .audio:
                input.audio.segments.append(
                    QualityModelInput.Audio(
                        bitrate: bitrate,
                        codec: HeardAudio.codec(of: track.stream),
                        start: start,
                        duration: duration
                    )
                )
            case .video where stretch.isShown:
                input.video.segments.append(
                    QualityModelInput.Video(
                        bitrate: bitrate,
                        codec: track.stream.codec,
                        start: start,
                        duration: duration,
                        fps: HeardAudio.rounded(track.rate ?? Double(track.packets) / length),
                        resolution: "\(track.stream.width)x\(track.stream.height)"
                    )
                )
            default: break
            }
        }
    }

    /// The model's name for a codec; libav's where the model has none.
    private static func codec(of stream: StreamInfo) -> String {
        guard stream.codec == "aac" else { return stream.codec }
        return stream.profileName?.hasPrefix("HE") == true ? "heaac" : "aaclc"
    }

    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
