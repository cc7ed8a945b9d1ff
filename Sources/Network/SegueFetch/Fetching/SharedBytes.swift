internal import Synchronization

/// A resource's bytes that answer many requests, with what was found out about them, which is the same for all.
///
/// What is found out stays when the bytes are let go; who needs these again has them made again.
package final class SharedBytes: Sendable {
    /// How many there are.
    package let count: Int

    private struct State {
        var bytes: [UInt8]?
        var findings: [any Sendable] = []
    }

    private struct KnownAnswer<Question: Equatable & Sendable, Answer: Sendable>: Sendable {
        let question: Question
        let answer: Answer
    }

    private let state: Mutex<State>
    private let make: @Sendable () -> [UInt8]

    /// Bytes that are there.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - make: Makes the same bytes once more, where they were let go.
    package init(_ bytes: [UInt8], makingAgain make: @escaping @Sendable () -> [UInt8]) {
        count = bytes.count
        state = Mutex(State(bytes: bytes))
        self.make = make
    }

    /// Bytes that were made before, and are made again where anybody needs more of them than their number.
    ///
    /// - Parameters:
    ///   - count: How many there are.
    ///   - make: Makes the bytes.
    package init(count: Int, makingAgain make: @escaping @Sendable () -> [UInt8]) {
        self.count = count
        state = Mutex(State())
        self.make = make
    }

    /// The bytes; made again, and not kept, where they were let go.
    package var bytes: [UInt8] { state.withLock(\.bytes) ?? make() }

    /// Lets go of the bytes.
    package func letGo() { state.withLock { $0.bytes = nil } }

    /// All answers to questions of a type that somebody has asked, in the order of the asking.
    package func answers<Question: Equatable & Sendable, Answer: Sendable>(
        to type: Question.Type,
        _ answer: Answer.Type
    ) -> [(question: Question, answer: Answer)] {
        state.withLock(\.findings).compactMap { $0 as? KnownAnswer<Question, Answer> }.map { ($0.question, $0.answer) }
    }

    /// Takes an answer that was found before.
    package func learn<Question: Equatable & Sendable, Answer: Sendable>(_ answer: Answer, to question: Question) {
        state.withLock { $0.findings.append(KnownAnswer(question: question, answer: answer)) }
    }

    /// The answer to a question about the bytes, looked for in them where nobody has asked the same before.
    ///
    /// - Parameters:
    ///   - question: The question; of a type of its own for each thing that can be asked.
    ///   - find: Finds the answer, which depends on nothing but the bytes and the question.
    /// - Returns: The answer.
    package func answer<Question: Equatable & Sendable, Answer: Sendable>(
        to question: Question,
        find: ([UInt8]) -> Answer
    ) -> Answer {
        let findings = state.withLock(\.findings)
        for case let known as KnownAnswer<Question, Answer> in findings where known.question == question {
            return known.answer
        }
        let answer = find(bytes)
        state.withLock { $0.findings.append(KnownAnswer(question: question, answer: answer)) }
        return answer
    }
}
