import Foundation

/// Hands the fault filter of `segue link` connections made by chance; `Tools/run fuzz faults` calls it.
///
///     FaultFuzz SEED FIRST COUNT   checks so many cases from a number on; prints those that fail
///     FaultFuzz show SEED NUMBER   prints a case as JSON
///     FaultFuzz check              checks the case on standard input
///     FaultFuzz smaller            prints what is a little smaller than the case on standard input, a line each
@main
struct FaultFuzz {
    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        switch words.first {
        case "show":
            let numbers = words.dropFirst().compactMap(UInt64.init)
            guard numbers.count == 2 else { return usage() }
            print(try json(FaultCase(seed: numbers[0], number: Int(clamping: numbers[1]))))
        case "check":
            guard let problem = try given().problem else { return }
            print(problem)
            exit(1)
        case "smaller": for smaller in try given().smaller { print(try json(smaller)) }
        default:
            let numbers = words.compactMap(UInt64.init)
            guard numbers.count == 3 else { return usage() }
            var failed = 0
            for number in Int(clamping: numbers[1])..<Int(clamping: numbers[1] + numbers[2]) {
                guard let problem = FaultCase(seed: numbers[0], number: number).problem else { continue }
                print("\(number) \(problem)")
                failed += 1
                if failed == 10 { break }
            }
            exit(failed > 0 ? 1 : 0)
        }
    }

    private static func usage() {
        FileHandle.standardError.write(Data("FaultFuzz: see Tools/run fuzz faults --help\n".utf8))
        exit(2)
    }

    private static func given() throws -> FaultCase {
        try JSONDecoder().decode(FaultCase.self, from: FileHandle.standardInput.readToEnd() ?? Data())
    }

    private static func json(_ fault: FaultCase) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(fault), as: UTF8.self)
    }
}
