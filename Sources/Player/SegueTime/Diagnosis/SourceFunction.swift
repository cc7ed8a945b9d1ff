/// The function in source that a demangled symbol belongs to.
enum SourceFunction {
    /// Returns the name of the function, or nil for a thunk that calls none.
    ///
    /// Optimization specializes functions, and inlines a closure into the thunk that calls it. The symbol of such a
    /// thunk names the closure in its specialization.
    static func name(in symbol: String) -> String? {
        var name = symbol[...]
        while let rest = inner(name) { name = rest }
        guard name.hasPrefix("reabstraction thunk") || name.hasPrefix("partial apply") else { return String(name) }
        let propagated = "Constant Propagated Function : "
        return symbol.split(separator: propagated).dropFirst().last?.split(separator: "]").first.map(String.init)
    }

    /// Removes the outermost description of a part or a specialization.
    private static func inner(_ name: Substring) -> Substring? {
        if name.hasPrefix("(") {
            guard let end = name.firstRange(of: " resume partial function for ") else { return nil }
            let part = name[..<end.lowerBound]
            let isPart = part.hasSuffix(") suspend") || part.hasSuffix(") await")
            return isPart ? name[end.upperBound...] : nil
        }
        if name.hasPrefix("merged ") { return name.dropFirst(7) }
        for kind in ["function signature specialization <", "generic specialization <"] where name.hasPrefix(kind) {
            return afterAngles(name.dropFirst(kind.count))
        }
        return nil
    }

    /// Returns the text after the bracket that closes an open one and the word behind it.
    private static func afterAngles(_ text: Substring) -> Substring? {
        var depth = 1
        var previous: Character = " "
        for place in text.indices {
            let character = text[place]
            if character == "<" { depth += 1 }
            // An arrow closes nothing.
            if character == ">", previous != "-" { depth -= 1 }
            if depth == 0 {
                let rest = text[text.index(after: place)...]
                return rest.hasPrefix(" of ") ? rest.dropFirst(4) : nil
            }
            previous = character
        }
        return nil
    }
}
