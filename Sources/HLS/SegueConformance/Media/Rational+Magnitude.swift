internal import SegueBase

extension Rational {
    /// How far it is from nothing.
    var magnitude: Rational { self < .zero ? -self : self }
}
