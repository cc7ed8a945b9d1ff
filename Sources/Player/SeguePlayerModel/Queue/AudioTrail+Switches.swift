package import SegueBase

extension AudioTrail.Stretch {
    /// The samples of the source that it is, at the source's sample rate.
    ///
    /// Each end is rounded by itself from an exact time, so that stretches that touch have samples that touch, and
    /// nothing adds up.
    package func samples(rate: Int) -> Range<Int64> {
        let first = start.samples(rate: rate)
        return first..<max(first, end.samples(rate: rate))
    }
}

extension AudioTrail.Stretch {
    /// What of it lies between two places in the item.
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
            hasSound: hasSound,
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
    /// How many samples it is at a rate, to the nearest one, worked out in whole numbers.
    package func samples(rate: Int) -> Int64 { Rational(wholeNanoseconds, 1_000_000_000).rounded(scale: Int64(rate)) }
}

extension AudioTrail {
    /// What changed from one stretch of sound to the next.
    package enum Change: String, Sendable {
        /// The item, to another rendition of the same source.
        case rendition
        /// The item, to another source: the next one of the queue.
        case next
        /// Pictures came or went while the same sound went on.
        case pictures
    }

    /// A switch, as it was heard.
    package struct Switch: Sendable, Equatable {
        /// What changed.
        package let change: Change
        /// The last sound before it.
        package let before: Stretch
        /// The first sound after it.
        package let after: Stretch

        /// How long nothing was heard.
        package var silence: Duration { after.began - before.ended }

        /// Samples of silence, at a rate.
        package func silentSamples(rate: Int) -> Int64 {
            after.began.samples(rate: rate) - before.ended.samples(rate: rate)
        }

        /// Samples of the source from the end of what was heard before to the start of what was heard after it.
        ///
        /// Above zero they were left out, below zero heard twice. Between two sources there is no such number.
        package func skipped(rate: Int) -> Int64? {
            change == .next ? nil : after.start.samples(rate: rate) - before.end.samples(rate: rate)
        }

        /// Samples that were never heard.
        package func missingSamples(rate: Int) -> Int64 { max(0, skipped(rate: rate) ?? 0) }

        /// Samples that were heard twice.
        package func repeatedSamples(rate: Int) -> Int64 { max(0, -(skipped(rate: rate) ?? 0)) }
    }

    /// Every stretch until an instant that lies not before the last change; the one that goes on is cut there.
    package func stretches(at now: Instant) -> [Stretch] { stretches + [running(at: now)].compactMap(\.self) }

    /// The switches until an instant.
    ///
    /// - Parameters:
    ///   - now: An instant that lies not before the last change.
    ///   - isSameSource: Whether two items are renditions of one source.
    /// - Returns: The switches, in their order.
    package func switches(at now: Instant, isSameSource: (ItemID, ItemID) -> Bool) -> [Switch] {
        let heard = stretches(at: now).filter(\.isHeard)
        return zip(heard, heard.dropFirst()).compactMap { before, after in
            guard before.item == after.item else {
                let change = isSameSource(before.item, after.item) ? Change.rendition : .next
                return Switch(change: change, before: before, after: after)
            }
            guard before.isShown != after.isShown else { return nil }
            return Switch(change: .pictures, before: before, after: after)
        }
    }
}

extension Instant {
    /// How many samples have gone by since the run began, at a rate.
    package func samples(rate: Int) -> Int64 { (self - .zero).samples(rate: rate) }
}
