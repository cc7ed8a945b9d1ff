internal import SegueBase
internal import SegueData
internal import SegueVerification

extension ContentAllowance {
    /// The allowance with the changes of the mapping `allow`.
    ///
    /// - Throws: `HarnessError` for an unknown key or an invalid number.
    func changed(by fields: inout HarnessFields) throws(HarnessError) -> ContentAllowance {
        guard var own = try fields.fields("allow") else { return self }
        var changed = self
        for (key, place) in Self.numbers {
            guard let number = try own.number(key)?.seconds else { continue }
            guard (0...1000).contains(number) else { throw own.error(key, "must be from 0 to 1000") }
            changed[keyPath: place] = number
        }
        for (key, place) in Self.flags {
            if let flag = try own.flag(key) { changed[keyPath: place] = flag }
        }
        try own.finish()
        return changed
    }

    private static var numbers: [(String, WritableKeyPath<ContentAllowance, Double>)] {
        [
            ("offset", \.offset), ("step", \.step), ("head", \.head), ("tail", \.tail),
            ("picture-head", \.pictureHead), ("overhang", \.overhang), ("dropout", \.dropout),
            ("sound-likeness", \.soundLikeness), ("picture-likeness", \.pictureLikeness),
            ("mean-picture-likeness", \.meanPictureLikeness), ("colour", \.colour), ("gain", \.gain),
        ]
    }

    private static var flags: [(String, WritableKeyPath<ContentAllowance, Bool>)] {
        [
            ("fewer-pictures", \.allowsFewerPictures), ("dropped-pictures", \.allowsDroppedPictures),
            ("other-shape", \.allowsOtherShape),
        ]
    }
}
