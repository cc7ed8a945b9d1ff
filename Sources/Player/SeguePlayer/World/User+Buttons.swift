extension User {
    /// A button of an app.
    public enum Button: String, Sendable, CaseIterable {
        /// Plays.
        case play
        /// Pauses.
        case pause
        /// Pauses what plays or waits, and plays what is paused.
        case toggle
        /// Ends what plays.
        case stop
        /// Goes to the title behind the one that plays.
        case next
        /// Goes to the title before, or to the beginning of the one that plays.
        case previous
    }

    /// What the app has for its user.
    struct Buttons {
        var simple: [Button: () -> Void] = [:]
        var named: [(name: String, press: () -> Void)] = []
        var seek: ((Duration) -> Void)?
        var rates: [Double] = []
        var setRate: ((Double) -> Void)?
        var count = 0
        var choose: ((Int) -> Void)?
    }

    // MARK: What the app has

    /// The app has a button.
    ///
    /// - Parameters:
    ///   - button: The button.
    ///   - app: What the app does when it is pressed.
    public func can(_ button: Button, _ app: @escaping @MainActor () -> Void) { buttons.simple[button] = app }

    /// The app has a button of its own, of which nobody else knows what it is for.
    ///
    /// - Parameters:
    ///   - name: What is on it.
    ///   - app: What the app does when it is pressed.
    public func can(_ name: String, _ app: @escaping @MainActor () -> Void) {
        buttons.named.removeAll { $0.name == name }
        buttons.named.append((name, app))
    }

    /// The app has a slider for the place in what plays.
    ///
    /// - Parameter app: What the app does when the user goes to a place.
    public func canSeek(_ app: @escaping @MainActor (Duration) -> Void) { buttons.seek = app }

    /// The app has rates to choose from.
    ///
    /// - Parameters:
    ///   - rates: The rates, each above 0.
    ///   - app: What the app does when the user chooses one.
    public func canSetRate(_ rates: [Double], _ app: @escaping @MainActor (Double) -> Void) {
        (buttons.rates, buttons.setRate) = (rates.filter { $0 > 0 && $0.isFinite }, app)
    }

    /// The app has a list of titles to choose from.
    ///
    /// - Parameters:
    ///   - count: How many, from 0.
    ///   - app: What the app does when the user chooses one, from 0.
    public func canChoose(_ count: Int, _ app: @escaping @MainActor (Int) -> Void) {
        (buttons.count, buttons.choose) = (max(0, count), app)
    }

    // MARK: What the user does with it

    /// The user presses a button; nothing happens where the app has none such.
    ///
    /// - Parameter button: The button.
    public func press(_ button: Button) {
        guard let app = buttons.simple[button] else { return }
        does(wish(of: button), app)
    }

    /// The user presses a button of the app's own; nothing happens where it has none of that name.
    ///
    /// - Parameter name: What is on it.
    public func press(_ name: String) {
        guard let app = buttons.named.first(where: { $0.name == name })?.press else { return }
        does(.other(name), app)
    }

    /// The user goes to a place in what plays; nothing happens where the app has no slider.
    ///
    /// - Parameter place: The place, from the title's beginning.
    public func seek(to place: Duration) {
        guard let app = buttons.seek else { return }
        does(.seek(to: place)) { app(place) }
    }

    /// The user chooses a rate; nothing happens where the app has none to choose from.
    ///
    /// - Parameter rate: The rate, above 0; nothing happens with another.
    public func set(rate: Double) {
        guard let app = buttons.setRate, rate > 0 else { return }
        does(.rate(rate)) { app(rate) }
    }

    /// The user chooses a title; nothing happens where the app has no list of titles.
    ///
    /// - Parameter index: The title's number in the app's list, from 0; nothing happens with one that is not in it.
    public func choose(_ index: Int) {
        guard let app = buttons.choose, (0..<buttons.count).contains(index) else { return }
        does(.choose(index)) { app(index) }
    }

    private func wish(of button: Button) -> Wish {
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
