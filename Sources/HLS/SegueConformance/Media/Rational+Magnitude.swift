internal import SegueBase

extension Rational {
    var magnitude: Rational { self < .zero ? -self : self }
}
