import SegueTestMedia

/// The test media that a recording may show.
enum TestTitles {
    /// All test media of a recipe folder.
    static func all(inFolder recipes: String) throws -> [RecordingReader.Candidate] {
        SyntheticTruth.all(of: try RecipeReader.recipes(inFolder: recipes))
            .map { RecordingReader.Candidate(name: $0.name, piece: $0.piece) }
    }

    /// Returns whether a name, with or without folders, is a title's.
    static func isNamed(_ title: RecordingReader.Candidate, _ name: String) -> Bool {
        title.name == name || title.name.hasSuffix("/" + name)
    }
}
