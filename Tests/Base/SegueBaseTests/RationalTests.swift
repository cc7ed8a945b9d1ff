import SegueBase
import Testing

@Suite struct `Rational numbers` {
    @Test func `sums stay exact over a long file`() {
        let frame = Rational(1001, 24000)
        let sum = (0..<64_800).reduce(Rational.zero) { sum, _ in sum + frame }
        #expect(sum == Rational(1001 * 64_800, 24000))
    }

    @Test(arguments: [(1, 2, 1), (-1, 2, -1), (1, 3, 0), (-2, 3, -1), (5, 2, 3)] as [(Int64, Int64, Int64)])
    func `rounds half away from zero`(numerator: Int64, denominator: Int64, rounded: Int64) {
        #expect(Rational(numerator, denominator).rounded(scale: 1) == rounded)
    }

    @Test func `floors and ceils negative values correctly`() {
        #expect(Rational(-1, 3).floored() == -1)
        #expect(Rational(-1, 3).ceiled() == 0)
        #expect(Rational(7, 2).ceiled() == 4)
    }

    @Test func `compares without overflow`() {
        #expect(Rational(.max, 3) > Rational(.max - 1, 3))
        #expect(Rational(1, .max) < Rational(1, .max - 1))
    }

    @Test func `saturates at the nearest representable value`() {
        let (great, small) = (Rational(1 << 62), Rational(1, 1 << 62))
        #expect(great * great == Rational(.max) && -great * great == Rational(.min))
        #expect(great + great == Rational(.max) && -(-great - great) == Rational(.max))
        #expect(
            great / small == Rational(.max) && great.ceiled(scale: .max) == .max && (-great).ceiled(scale: .max) == .min
        )
        #expect((small * small).rounded(scale: 1_000_000_000) == 0)
        // Denominators whose product has 125 bits.
        let (one, other) = (Rational(.max - 1, 1 << 62), Rational(.max - 7, (1 << 62) - 1))
        #expect((one + other).rounded(scale: 1_000_000) == 4_000_000)
        #expect((-one - other).rounded(scale: 1_000_000) == -4_000_000)
    }

    @Test(
        arguments: [
            (Double.nan, 0), (.infinity, .max), (-.infinity, .min), (1e300, .max), (-1e19, .min), (2.9, 2), (-2.9, -2),
        ] as [(Double, Int64)]
    )
    func `converts calculated numbers to valid ones`(number: Double, expected: Int64) {
        #expect(Int64(reckoned: number) == expected)
    }

    @Test func `NaN seconds become zero`() {
        #expect(Rational(seconds: .nan) == .zero && Instant(seconds: .infinity) == Instant(nanoseconds: .max))
    }
}

@Suite struct `Instants` {
    @Test func `saturate at the maximum`() {
        let last = Instant(nanoseconds: .max)
        #expect(last + .seconds(1) == last && Instant.zero + .seconds(Int64.max) == last)
        #expect(Instant(nanoseconds: .min) + .seconds(-1) == Instant(nanoseconds: .min))
        #expect((last - Instant(nanoseconds: -5)).wholeNanoseconds == .max)
        #expect((Instant(nanoseconds: .min) - last).wholeNanoseconds == .min)
        #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
    }
}
