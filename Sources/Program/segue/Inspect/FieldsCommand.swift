import ArgumentParser
import SeguePlayerModel

/// Prints a page of documentation that describes every field of platforms or app policies.
struct FieldsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fields",
        abstract: "Prints the fields of platforms or app policies, as Markdown.",
        discussion: "Example: segue fields platforms > docs/platforms.md",
        shouldDisplay: false
    )

    @Argument(help: "platforms or apps.")
    var kind: Kind

    func run() async throws {
        switch kind {
        case .platforms: StandardOutput.write(FieldReference.platforms)
        case .apps: StandardOutput.write(FieldReference.apps)
        }
    }

    enum Kind: String, ExpressibleByArgument, CaseIterable { case platforms, apps }
}
