import ArgumentParser

@main
struct Segue: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "segue")
}
