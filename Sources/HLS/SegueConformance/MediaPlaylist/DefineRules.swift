/// The rules on variables.
enum DefineRules {
    static let all: [Check<PlaylistDocument>] = [place, again, defined, imported, queried, query, alone]

    /// What leads to others has nothing to import from.
    static let place = Check<PlaylistDocument>(
        Rule("import-place", "B4.4.2.3", .must, "a multivariant playlist imports no variable")
    ) { document in
        guard document.namesVariants || document.has("#EXT-X-MEDIA") else { return [] }
        return document.lists("#EXT-X-DEFINE").filter { $0.list["IMPORT"] != nil }.map {
            Violation(document.place(line: $0.line.number), "it imports a variable")
        }
    }

    /// A variable has one value.
    static let again = Check<PlaylistDocument>(
        Rule("variable-once", "B4.4.2.3", .must, "no variable is defined twice")
    ) { $0.violations([.again]) }

    /// A variable is known before it is used.
    static let defined = Check<PlaylistDocument>(
        Rule("variable-defined", "B6.3.1", .must, "a variable is defined before it is used")
    ) { $0.violations([.undefined]) }

    /// What is imported is there.
    static let imported = Check<PlaylistDocument>(
        Rule("import-known", "B4.4.2.3", .must, "the multivariant playlist has each variable that is imported")
    ) { $0.violations([.missingImport]) }

    /// What the query is to tell, it tells.
    static let queried = Check<PlaylistDocument>(
        Rule("query-known", "B4.4.2.3", .must, "the URL has each query parameter that is a variable, with a value")
    ) { $0.violations([.missingQuery]) }

    /// What the query tells may stand in a quoted string.
    static let query = Check<PlaylistDocument>(
        Rule("query-value", "B4.4.2.3", .must, "a query parameter that is a variable has no quote and no line's end")
    ) { $0.violations([.badQuery]) }

    /// What is judged alone lacks what others tell.
    static let alone = Check<PlaylistDocument>(
        Rule("variable-alone", "own", .advice, "a playlist is judged with what gives its variables their values")
    ) { document in
        // A playlist that leads to others is judged by what it imports at all.
        document.namesVariants ? [] : document.violations([.alone])
    }
}
