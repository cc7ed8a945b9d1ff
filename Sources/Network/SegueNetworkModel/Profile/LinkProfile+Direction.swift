extension LinkProfile {
    /// One direction of a network.
    package struct Direction: Sendable, Equatable {
        /// How fast it is, headers included.
        package var rate: Rate

        /// The one-way delay; a range is drawn from once for each connection, evenly.
        package var delay: ClosedRange<Duration>

        /// By how much the delay differs from packet to packet; nil for not at all.
        package var jitter: Jitter?

        /// The share of packets that is lost, each on its own; from 0 to below 1.
        package var loss: Double

        /// Losses that come in bursts, in addition; nil for none.
        package var bursts: Bursts?

        /// A direction with one delay and a constant rate.
        package init(bitsPerSecond: Int64, delay: Duration, loss: Double = 0) {
            self.init(rate: .constant(bitsPerSecond), delay: delay...delay, loss: loss)
        }

        /// A direction with a range of delays and a constant rate.
        package init(bitsPerSecond: Int64, delay: ClosedRange<Duration>, loss: Double = 0) {
            self.init(rate: .constant(bitsPerSecond), delay: delay, loss: loss)
        }

        /// A direction.
        package init(
            rate: Rate,
            delay: ClosedRange<Duration> = .zero ... .zero,
            jitter: Jitter? = nil,
            loss: Double = 0,
            bursts: Bursts? = nil
        ) {
            self.rate = rate
            self.delay = delay
            self.jitter = jitter
            self.loss = loss
            self.bursts = bursts
        }

        /// Whether packets may be lost by chance.
        package var isLossy: Bool { loss > 0 || bursts != nil }
    }

    /// By how much a packet's delay differs from the one of its connection; never so much that it falls below zero.
    ///
    /// Packets of a connection keep their order, as they do on a radio that sends a lost frame again.
    package struct Jitter: Sendable, Equatable {
        /// How the differences are spread: netem's distributions.
        package enum Distribution: String, Sendable, CaseIterable {
            /// Evenly, by up to the spread in both directions.
            case uniform
            /// A bell, with the spread as its standard deviation.
            case normal
            /// Many packets a little early, few very late, by up to four times the spread.
            case pareto
            /// A quarter of normal and three of pareto.
            case paretonormal
        }

        /// How wide the differences are spread.
        package var spread: Duration

        /// How they are spread.
        package var distribution: Distribution

        /// Differences between packets.
        package init(spread: Duration, distribution: Distribution = .uniform) {
            self.spread = spread
            self.distribution = distribution
        }
    }

    /// Losses in bursts: the model of Gilbert and Elliott, a chain of two states that moves with each packet.
    ///
    /// What is lost between bursts is the direction's `loss`.
    package struct Bursts: Sendable, Equatable {
        /// The chance that a burst begins with a packet; above 0, to 1.
        package var begin: Double

        /// The chance that a burst is over with a packet; above 0, to 1.
        package var end: Double

        /// The share of packets that is lost in a burst; above 0, to 1.
        package var loss: Double

        /// Bursts.
        package init(begin: Double, end: Double, loss: Double = 1) {
            self.begin = begin
            self.end = end
            self.loss = loss
        }

        /// The share of packets that bursts take in the long run.
        package var share: Double { begin / (begin + end) * loss }
    }
}
