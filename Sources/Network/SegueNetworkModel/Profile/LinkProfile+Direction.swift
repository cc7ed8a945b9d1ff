extension LinkProfile {
    /// The parameters of one direction of a network.
    package struct Direction: Sendable, Equatable {
        /// The rate, including headers.
        package var rate: Rate

        /// The one-way delay; each connection draws one from a range, with uniform distribution.
        package var delay: ClosedRange<Duration>

        /// The variation of the delay between packets; nil for none.
        package var jitter: Jitter?

        /// The share of packets that are lost independently, from 0 to below 1.
        package var loss: Double

        /// Additional losses in bursts; nil for none.
        package var bursts: Bursts?

        package init(bitsPerSecond: Int64, delay: Duration, loss: Double = 0) {
            self.init(rate: .constant(bitsPerSecond), delay: delay...delay, loss: loss)
        }

        package init(bitsPerSecond: Int64, delay: ClosedRange<Duration>, loss: Double = 0) {
            self.init(rate: .constant(bitsPerSecond), delay: delay, loss: loss)
        }

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

        /// True if packets may be lost at random.
        package var isLossy: Bool { loss > 0 || bursts != nil }
    }

    /// The variation of packet delays around that of the connection; delays never fall below zero.
    ///
    /// The packets of a connection keep their order, as on a radio that retransmits lost frames.
    package struct Jitter: Sendable, Equatable {
        /// The distribution, as in netem.
        package enum Distribution: String, Sendable, CaseIterable {
            /// Uniform, within the spread in both directions.
            case uniform
            /// Normal, with the spread as standard deviation.
            case normal
            /// Many packets slightly early and few very late, by up to four times the spread.
            case pareto
            /// A quarter normal and three quarters Pareto.
            case paretonormal
        }

        package var spread: Duration

        package var distribution: Distribution

        package init(spread: Duration, distribution: Distribution = .uniform) {
            self.spread = spread
            self.distribution = distribution
        }
    }

    /// Losses in bursts (the Gilbert-Elliott model): a two-state Markov chain that advances with each packet.
    ///
    /// The direction's `loss` applies between bursts.
    package struct Bursts: Sendable, Equatable {
        /// The probability that a packet begins a burst, above 0.
        package var begin: Double

        /// The probability that a packet ends a burst, above 0.
        package var end: Double

        /// The loss within a burst, above 0.
        package var loss: Double

        package init(begin: Double, end: Double, loss: Double = 1) {
            self.begin = begin
            self.end = end
            self.loss = loss
        }

        /// The long-term share of packets lost in bursts.
        package var share: Double { begin / (begin + end) * loss }
    }
}
