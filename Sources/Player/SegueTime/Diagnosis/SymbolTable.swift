internal import CSegueTime
internal import Foundation

/// The function symbols of a program, from its file (ELF-64, System V ABI).
struct SymbolTable {
    private let file: Data
    private var symbols: [(start: UInt64, end: UInt64, name: Int)] = []

    /// The file of the running program, according to the loader.
    static let programName: String = {
        var base: UInt64 = 0
        let address = unsafeBitCast(segue_time_real_uptime as @convention(c) () -> Int64, to: UnsafeRawPointer.self)
        return segue_time_image(address, &base).map { String(cString: $0) } ?? ""
    }()

    /// Reads the table; nil if the file has another format, or no symbols.
    init?(ofFile path: String) {
        guard let file = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) else { return nil }
        self.file = file
        guard file.count >= 64, file.prefix(5).elementsEqual([0x7f, 0x45, 0x4c, 0x46, 2]) else { return nil }
        let sections = Int(clamping: number(at: 40, of: UInt64.self))
        let size = Int(number(at: 58, of: UInt16.self)), count = Int(number(at: 60, of: UInt16.self))
        for index in 0..<count {
            let section = sections &+ index &* size
            guard number(at: section &+ 4, of: UInt32.self) == 2 else { continue }
            let names = sections &+ Int(number(at: section &+ 40, of: UInt32.self)) &* size
            read(
                at: Int(clamping: number(at: section &+ 24, of: UInt64.self)),
                size: Int(clamping: number(at: section &+ 32, of: UInt64.self)),
                names: Int(clamping: number(at: names &+ 24, of: UInt64.self))
            )
        }
        guard !symbols.isEmpty else { return nil }
        symbols.sort { $0.start < $1.start }
    }

    private mutating func read(at place: Int, size: Int, names: Int) {
        let end = min(file.count, place.addingReportingOverflow(size).partialValue)
        var symbol = place
        while symbol >= 0, symbol &+ 24 <= end {
            let kind = number(at: symbol &+ 4, of: UInt8.self) & 15
            let start = number(at: symbol &+ 8, of: UInt64.self), length = number(at: symbol &+ 16, of: UInt64.self)
            if kind == 2, length > 0 {
                symbols.append((start, start &+ length, names &+ Int(number(at: symbol, of: UInt32.self))))
            }
            symbol += 24
        }
    }

    /// Returns the symbol of the function at an address, relative to the load address of the file.
    func symbol(at address: UInt64) -> String? {
        var low = 0, high = symbols.count
        while low < high {
            let middle = (low + high) / 2
            if symbols[middle].start <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0, symbols[low - 1].end > address else { return nil }
        let start = symbols[low - 1].name
        guard start >= 0, start < file.count else { return nil }
        return String(decoding: file[start...].prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Returns a symbol in readable form.
    static func readable(_ symbol: String) -> String {
        guard let readable = segue_time_demangled(symbol) else { return symbol }
        defer { free(readable) }
        return String(cString: readable)
    }

    /// Returns a number at an offset; zero beyond the end of the file.
    private func number<Number: FixedWidthInteger>(at place: Int, of type: Number.Type) -> Number {
        let size = MemoryLayout<Number>.size
        guard place >= 0, place <= file.count - size else { return 0 }
        return file.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self)) }
    }
}
