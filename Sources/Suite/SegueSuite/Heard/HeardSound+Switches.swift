internal import SegueBase
internal import SegueFFmpeg
package import SeguePlayerModel

extension HeardSound {
    /// How far the sound on each side of a switch is looked at, which is what EBU Tech 3341 calls short-term.
    private static let window = Duration.seconds(3)

    /// What a listener noticed of switches.
    ///
    /// - Parameter switches: The switches of the same run.
    /// - Returns: A report of each, in their order.
    /// - Throws: ``HeardSoundError`` when what was delivered cannot be read back.
    package func reports(of switches: [AudioTrail.Switch]) throws -> [SwitchReport] {
        let rate = try format()?.rate
        return try switches.map { change in
            var report = SwitchReport(change, sampleRate: rate)
            guard rate != nil else { return report }
            report.positionError = try firstSound(of: change.after)
            if change.after.isShown { report.avOffset = try pictureDelay(of: change.after) }
            if let before = try loudness(of: change.before.last(HeardSound.window)),
                let after = try loudness(of: change.after.first(HeardSound.window))
            {
                report.loudnessChange = ((after - before) * 100).rounded() / 100
            }
            return report
        }
    }

    /// Seconds from where a stretch begins to the first sample of it that was delivered; nil when none was.
    private func firstSound(of stretch: AudioTrail.Stretch) throws -> Double? {
        var error: Double?
        try source.read(stretch) { part in
            error = Double(part.first - stretch.samples(rate: part.rate).lowerBound) / Double(part.rate)
            return false
        }
        return error
    }

    /// Milliseconds from where a stretch begins to the first picture that can be shown; nil when there is none.
    private func pictureDelay(of stretch: AudioTrail.Stretch) throws -> Double? {
        guard let first = try source.firstPicture(of: stretch) else { return nil }
        return max(0, (first - Rational(stretch.start.wholeNanoseconds, 1_000_000_000)).seconds) * 1000
    }

    /// The loudness of a stretch in LUFS; nil for silence, and for less than a meter needs.
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
    /// Its first so many seconds.
    fileprivate func first(_ length: Duration) -> AudioTrail.Stretch { part(from: start, to: start + length) }

    /// Its last so many seconds.
    fileprivate func last(_ length: Duration) -> AudioTrail.Stretch { part(from: end - length, to: end) }
}
