extension User {
    /// A button of an app.
    public enum Button: String, Sendable, CaseIterable {
        /// Plays the title.
        case play
        /// Pauses the title.
        case pause
        /// Pauses if playing or waiting, and plays if paused.
        case toggle
        /// Ends playback of the title.
        case stop
        /// Goes to the next title.
        case next
        /// Goes to the previous title, or to the beginning of the current one.
        case previous
    }

    /// The controls that the app offers to its user.
    struct Buttons {
        var simple: [Button: () -> Void] = [:]
        var named: [(name: String, press: () -> Void)] = []
        var seek: ((Duration) -> Void)?
        var rates: [Double] = []
        var setRate: ((Double) -> Void)?
        var count = 0
        var choose: ((Int) -> Void)?

        var hasAny: Bool {
            !simple.isEmpty || !named.isEmpty || seek != nil || setRate != nil || choose != nil
        }
    }

    // MARK: Controls of the app

    /// Declares a button of the app.
    public func can(_ button: Button, _ app: @escaping @MainActor () -> Void) { buttons.simple[button] = app }

    /// Declares a custom button, whose purpose is unknown.
    public func can(_ name: String, _ app: @escaping @MainActor () -> Void) {
        buttons.named.removeAll { $0.name == name }
        buttons.named.append((name, app))
    }

    /// Declares a slider for the position.
    ///
    /// - Parameter app: The app's action, which receives the position.
    public func canSeek(_ app: @escaping @MainActor (Duration) -> Void) { buttons.seek = app }

    /// Declares a choice of rates.
    ///
    /// - Parameters:
    ///   - rates: The rates, each above 0.
    ///   - app: The app's action, which receives the rate.
    public func canSetRate(_ rates: [Double], _ app: @escaping @MainActor (Double) -> Void) {
        (buttons.rates, buttons.setRate) = (rates.filter { $0 > 0 && $0.isFinite }, app)
    }

    /// Declares a list of titles.
    ///
    /// - Parameters:
    ///   - count: The number of titles, from 0.
    ///   - app: The app's action, which receives the index, from 0.
    public func canChoose(_ count: Int, _ app: @escaping @MainActor (Int) -> Void) {
        (buttons.count, buttons.choose) = (max(0, count), app)
    }

    // MARK: Use of the controls

    /// Presses a button.
    ///
    /// This has no effect if the app has no such button.
    public func press(_ button: Button) {
        guard let app = buttons.simple[button] else { return }
        does(action(of: button), app)
    }

    /// Presses a custom button.
    ///
    /// This has no effect if the app has none with that label.
    public func press(_ name: String) {
        guard let app = buttons.named.first(where: { $0.name == name })?.press else { return }
        does(.other(name), app)
    }

    /// Seeks with the slider.
    ///
    /// This has no effect if the app has no slider.
    ///
    /// - Parameter place: The position, from the beginning of the title.
    public func seek(to place: Duration) {
        guard let app = buttons.seek else { return }
        does(.seek(to: place)) { app(place) }
    }

    /// Chooses a rate.
    ///
    /// This has no effect if the app has no choice of rates.
    ///
    /// - Parameter rate: The rate. One that is not above 0 has no effect.
    public func set(rate: Double) {
        guard let app = buttons.setRate, rate > 0 else { return }
        does(.rate(rate)) { app(rate) }
    }

    /// Chooses a title.
    ///
    /// This has no effect if the app has no list of titles.
    ///
    /// - Parameter index: The index in the app's list, from 0. One outside of the list has no effect.
    public func choose(_ index: Int) {
        guard let app = buttons.choose, (0..<buttons.count).contains(index) else { return }
        does(.choose(index)) { app(index) }
    }

    private func action(of button: Button) -> Action {
        switch button {
        case .play: .play
        case .pause: .pause
        case .stop: .stop
        case .toggle: seesItPlay ? .pause : .play
        case .next: .next
        case .previous: .previous
        }
    }
}
