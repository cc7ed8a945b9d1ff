import Foundation

/// Hands playlists and segments that chance has damaged to the parser, the inspectors and the validator;
/// `Tools/run fuzz playlists` calls it.
///
///     PlaylistFuzz SEED FIRST COUNT [FOLDER]   checks so many cases from a number on; prints those that fail, and the slowest
///     PlaylistFuzz show SEED NUMBER [FOLDER]   writes what a case hands over to standard output
///
/// FOLDER has playlists and segments of which cases are made besides the built-in ones.
@main
struct PlaylistFuzz {
    static func main() {
        var words = Array(CommandLine.arguments.dropFirst())
        let isShown = words.first == "show"
        if isShown { words.removeFirst() }
        let numbers = words.prefix(isShown ? 2 : 3).compactMap(UInt64.init)
        guard numbers.count == (isShown ? 2 : 3), numbers.dropFirst().allSatisfy({ $0 <= UInt64(Int32.max) }) else {
            FileHandle.standardError.write(Data("PlaylistFuzz: see Tools/run fuzz playlists --help\n".utf8))
            exit(2)
        }
        let seeds = Seeds(folder: words.count > numbers.count ? words[numbers.count] : nil)
        if isShown {
            FileHandle.standardOutput.write(Data(DamagedCase(seed: numbers[0], number: Int(numbers[1]), seeds).bytes))
            return
        }
        var failed = 0
        var slowest: (milliseconds: Double, bytes: Int, number: Int) = (0, 0, 0)
        for number in Int(numbers[1])..<Int(numbers[1] + numbers[2]) {
            let damaged = DamagedCase(seed: numbers[0], number: number, seeds)
            let milliseconds = damaged.check()
            if milliseconds > slowest.milliseconds { slowest = (milliseconds, damaged.bytes.count, number) }
            guard milliseconds > damaged.mostMilliseconds else { continue }
            print("\(number) it takes \(Int(milliseconds)) ms of processor time for \(damaged.bytes.count) bytes")
            failed += 1
            if failed == 10 { break }
        }
        print("slowest \(slowest.number) \(Int(slowest.milliseconds)) \(slowest.bytes)")
        exit(failed > 0 ? 1 : 0)
    }
}
