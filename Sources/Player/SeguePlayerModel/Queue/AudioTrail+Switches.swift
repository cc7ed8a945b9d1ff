package import SegueBase

extension AudioTrail.Stretch {
    /// The sample range of the stretch in the source.
    ///
    /// Each end is rounded separately from an exact time, so that adjacent stretches have adjacent samples and errors
    /// do not add up.
    package func samples(rate: Int) -> Range<Int64> {
        let first = start.samples(rate: rate)
        return first..<max(first, end.samples(rate: rate))
    }
}

extension AudioTrail.Stretch {
    /// Returns the part between two positions of the item.
    package func part(from low: Duration, to high: Duration) -> AudioTrail.Stretch {
        let start = max(self.start, low)
        let end = max(start, min(self.end, high))
        let moment = { (place: Duration) in
            began
                + Duration(
                    reckonedNanoseconds: (Double((place - self.start).wholeNanoseconds) / max(rate, 0.01)).rounded()
                )
        }
        return AudioTrail.Stretch(
            item: item,
            url: url,
            hasAudio: hasAudio,
            isGap: isGap,
            isShown: isShown,
            rate: rate,
            start: start,
            end: end,
            began: moment(start),
            ended: moment(end),
            reason: reason
        )
    }
}

extension Duration {
    /// Returns the nearest number of samples at a rate, in integer arithmetic.
    package func samples(rate: Int) -> Int64 { Rational(wholeNanoseconds, 1_000_000_000).rounded(scale: Int64(rate)) }
}

extension AudioTrail {
    /// The change from one stretch of audio to the next.
    package enum Change: String, Sendable {
        /// Another rendition of the same source.
        case rendition
        /// Another source: the next one of the queue.
        case next
        /// Video began or ended while the same audio continued.
        case video = "pictures"
    }

    /// A switch, as heard.
    package struct Switch: Sendable, Equatable {
        package let change: Change
        /// The last audio before it.
        package let before: Stretch
        /// The first audio after it.
        package let after: Stretch

        package var silence: Duration { after.began - before.ended }

        /// The duration of silence, in samples.
        package func silentSamples(rate: Int) -> Int64 {
            after.began.samples(rate: rate) - before.ended.samples(rate: rate)
        }

        /// Returns the number of samples of the source between the end of the audio before and the start of the audio
        /// after.
        ///
        /// A positive number was skipped, a negative one heard twice. The result is nil between two sources.
        package func skipped(rate: Int) -> Int64? {
            change == .next ? nil : after.start.samples(rate: rate) - before.end.samples(rate: rate)
        }

        /// Returns the number of samples that were never heard.
        package func missingSamples(rate: Int) -> Int64 { max(0, skipped(rate: rate) ?? 0) }

        /// Returns the number of samples that were heard twice.
        package func repeatedSamples(rate: Int) -> Int64 { max(0, -(skipped(rate: rate) ?? 0)) }
    }

    /// Returns every stretch up to an instant that is not before the last change.
    ///
    /// The current stretch is cut there.
    package func stretches(at now: Instant) -> [Stretch] { stretches + [running(at: now)].compactMap(\.self) }

    /// Returns the switches up to an instant that is not before the last change, in order.
    package func switches(at now: Instant, isSameSource: (ItemID, ItemID) -> Bool) -> [Switch] {
        let heard = stretches(at: now).filter(\.isHeard)
        return zip(heard, heard.dropFirst()).compactMap { before, after in
            guard before.item == after.item else {
                let change = isSameSource(before.item, after.item) ? Change.rendition : .next
                return Switch(change: change, before: before, after: after)
            }
            guard before.isShown != after.isShown else { return nil }
            return Switch(change: .video, before: before, after: after)
        }
    }
}

extension Instant {
    /// Returns the number of samples since the run began.
    package func samples(rate: Int) -> Int64 { (self - .zero).samples(rate: rate) }
}
