import Testing
import Timeline

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

    @Test func `floors and ceils negative values outwards`() {
        #expect(Rational(-1, 3).floored() == -1)
        #expect(Rational(-1, 3).ceiled() == 0)
        #expect(Rational(7, 2).ceiled() == 4)
    }

    @Test func `compares without overflow`() {
        #expect(Rational(.max, 3) > Rational(.max - 1, 3))
        #expect(Rational(1, .max) < Rational(1, .max - 1))
    }
}
