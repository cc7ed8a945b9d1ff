/// The pages of documentation that list every field of platforms and app policies.
package enum FieldReference {
    /// The page `docs/platforms.md`.
    package static var platforms: String {
        let profile = PlatformProfile()
        let page = """
            # Fields of platforms

            This page is generated from the declarations in `Sources/Player/SeguePlayerModel/Platform`.
            [`Harness/platforms`](../Harness/platforms/README.md) explains the files.
            Durations are written `500 ms`, `2 s`, or `10 min`.


            """
        return page + tables(profile)
    }

    /// The page `docs/apps.md`.
    package static var apps: String {
        """
        # Fields of app policies

        This page is generated from the declarations in `Sources/Player/SeguePlayerModel/Session/AppProfile.swift`.
        [`Harness/apps`](../Harness/apps/README.md) explains the files, and the list `reactions`.


        """ + tables(AppProfile())
    }

    private static func tables(_ group: some FieldGroup) -> String {
        group.sections.reduce(into: table(group.fields, prefix: "")) { page, section in
            page += "\n## `\(section.key)`\n\n\(section.meaning)\n\n"
            page += table(section.fields, prefix: section.key + ".")
        }
    }

    private static func table(_ fields: [any AnyProfileField], prefix: String) -> String {
        fields.reduce(into: "| key | value | meaning |\n|---|---|---|\n") { table, field in
            let meanings = [field.meaning] + field.words.map { "`\($0.word)`: \($0.meaning)" }
            table += "| `\(prefix)\(field.key)` | \(field.notation) | \(meanings.joined(separator: "<br>")) |\n"
        }
    }
}
