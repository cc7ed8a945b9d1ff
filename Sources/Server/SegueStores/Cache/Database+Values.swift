internal import Foundation
internal import GRDB

extension Database {
    /// Returns the number that a statement selects, or 0 if it selects none.
    func number(_ sql: String) throws -> Int64 {
        try Row.fetchOne(cachedStatement(sql: sql))?.value(0) ?? 0
    }
}

extension Row {
    /// A column's value, or nil if it is NULL or has another type: a damaged row is no reason to trap.
    func value<Value: DatabaseValueConvertible>(_ column: Int) -> Value? {
        Value.fromDatabaseValue(self[column] as DatabaseValue)
    }

    /// A column's value, or nil if it is NULL or has another type.
    func value<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
        Value.fromDatabaseValue(self[column] as DatabaseValue)
    }

    /// A column's bytes; empty if the column is NULL.
    func bytes(_ column: Int) -> [UInt8] { value(column).map { (data: Data) in [UInt8](data) } ?? [] }
}
