internal import SegueBase
internal import SegueFFmpeg
package import SeguePlayerModel

extension HeardAudio {
    /// The length of audio to analyze on each side of a switch: short-term, by EBU Tech 3341.
    private static let window = Duration.seconds(3)

    /// The effects of switches on a listener.
    ///
    /// `switches` are the switches of the same run.
    ///
    /// - Throws: ``HeardAudioError`` if delivered media cannot be read back.
    package func reports(of switches: [AudioTrail.Switch]) throws -> [SwitchReport] {
        let rate = try format()?.rate
        return try switches.map { change in
            var report = SwitchReport(change, sampleRate: rate)
            guard rate != nil else { return report }
            report.positionError = try firstAudio(of: change.after)
            if change.after.isShown { report.avOffset = try videoDelay(of: change.after) }
            if let before = try loudness(of: change.before.last(HeardAudio.window)),
                let after = try loudness(of: change.after.first(HeardAudio.window))
            {
                report.loudnessChange = ((after - before) * 100).rounded() / 100
            }
            return report
        }
    }

    /// Seconds from the start of a stretch to its first delivered sample; nil without samples.
    private func firstAudio(of stretch: AudioTrail.Stretch) throws -> Double? {
        var error: Double?
        try source.read(stretch) { part in
            error = Double(part.first - stretch.samples(rate: part.rate).lowerBound) / Double(part.rate)
            return false
        }
        return error
    }

    /// Milliseconds from the start of a stretch to its first displayable frame; nil without frames.
    private func videoDelay(of stretch: AudioTrail.Stretch) throws -> Double? {
        guard let first = try source.firstFrame(of: stretch) else { return nil }
        return max(0, (first - Rational(stretch.start.wholeNanoseconds, 1_000_000_000)).seconds) * 1000
    }

    /// The loudness of a stretch in LUFS; nil for silence and for audio too short to measure.
    private func loudness(of stretch: AudioTrail.Stretch) throws -> Double? {
        let floats = LoudnessMeter()
        try source.read(stretch) { part in
            try floats.hear(part.samples, rate: part.rate)
            return true
        }
        return try floats.integrated()
    }
}

extension AudioTrail.Stretch {
    /// The beginning of a stretch.
    fileprivate func first(_ length: Duration) -> AudioTrail.Stretch { part(from: start, to: start + length) }

    fileprivate func last(_ length: Duration) -> AudioTrail.Stretch { part(from: end - length, to: end) }
}
