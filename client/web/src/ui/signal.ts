/** A value that others listen to. */
export class Signal<T> {
    private readonly listeners = new Set<(value: T) => void>();

    constructor(private current: T) {}

    get value(): T {
        return this.current;
    }

    set value(value: T) {
        this.current = value;
        for (const listener of this.listeners) listener(value);
    }

    /** Calls with the present value and each new one; returns what ends that. */
    watch(listener: (value: T) => void): () => void {
        this.listeners.add(listener);
        listener(this.current);
        return () => void this.listeners.delete(listener);
    }
}
