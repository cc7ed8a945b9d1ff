internal import SegueBase

/// The rules on variables.
enum DefineRules {
    static let all: [Check<PlaylistDocument>] = [place, again, defined, imported, queried, query, alone]

    static let place = Check<PlaylistDocument>(
        Rule(
            "import-place",
            in: .syntax,
            clauses: "B4.4.2.3",
            .must,
            requires: "a multivariant playlist imports no variable",
            fix: "define the variable with NAME and VALUE"
        )
    ) { document in
        guard document.namesVariants || document.has("#EXT-X-MEDIA") else { return [] }
        return document.lists("#EXT-X-DEFINE").filter { $0.list["IMPORT"] != nil }.map {
            Violation(document.place(line: $0.line.number), "IMPORT occurs in a multivariant playlist")
        }
    }

    static let again = Check<PlaylistDocument>(
        Rule(
            "variable-once",
            in: .syntax,
            clauses: "B4.4.2.3",
            .must,
            requires: "a variable is defined once",
            fix: "remove the second #EXT-X-DEFINE"
        )
    ) { $0.violations([.again]) }

    static let defined = Check<PlaylistDocument>(
        Rule(
            "variable-defined",
            in: .syntax,
            clauses: "B6.3.1",
            .must,
            requires: "a variable is defined before its first use",
            fix: "move #EXT-X-DEFINE before the line"
        )
    ) { $0.violations([.undefined]) }

    static let imported = Check<PlaylistDocument>(
        Rule(
            "import-known",
            in: .syntax,
            clauses: "B4.4.2.3",
            .must,
            requires: "the multivariant playlist defines each imported variable",
            fix: "define the variable in the multivariant playlist"
        )
    ) { $0.violations([.missingImport]) }

    static let queried = Check<PlaylistDocument>(
        Rule(
            "query-known",
            in: .syntax,
            clauses: "B4.4.2.3",
            .must,
            requires: "the URL has each query parameter that QUERYPARAM names, with a value",
            fix: "add the parameter to the URL"
        )
    ) { $0.violations([.missingQuery]) }

    static let query = Check<PlaylistDocument>(
        Rule(
            "query-value",
            in: .syntax,
            clauses: "B4.4.2.3",
            .must,
            requires: "a query parameter used as a variable contains no quote and no line break",
            fix: "percent-encode the value"
        )
    ) { $0.violations([.badQuery]) }

    static let alone = Check<PlaylistDocument>(
        Rule(
            "variable-alone",
            in: .syntax,
            clauses: "own",
            .advice,
            requires: "a playlist that imports variables is validated with the playlist or URL that defines them",
            fix: "validate the multivariant playlist or the full URL"
        )
    ) { document in
        // import-place reports imports of a multivariant playlist.
        document.namesVariants ? [] : document.violations([.alone])
    }
}
