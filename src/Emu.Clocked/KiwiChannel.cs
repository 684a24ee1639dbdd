using Emu.Clocked;

namespace KiwiSystem;

public static partial class Kiwi
{
    /// <summary>
    /// A place for one value between threads. One that writes waits while it is full, one that reads while it is empty;
    /// of several that could in one cycle, the one that was started first does.
    /// </summary>
    /// <typeparam name="T">A number, or a struct of numbers.</typeparam>
    public class Channel<T>
    {
        private readonly Cell<T> _datum = new("datum");
        private readonly Cell<bool> _isFull = new("full");
        private readonly Arbiter _writers = new();
        private readonly Arbiter _readers = new();

        /// <summary>Puts a value in, once there is room: another thread can read it behind the next edge.</summary>
        public void Write(T v)
        {
            while (_isFull.Value || !_writers.TryTake())
            {
                Pause();
                // A coroutine makes the call again.
                if (Coroutine.IsUnwinding) return;
            }
            _datum.Value = v;
            _isFull.Value = true;
        }

        /// <summary>Takes the value out, once there is one.</summary>
        public T Read()
        {
            while (!_isFull.Value || !_readers.TryTake())
            {
                Pause();
                if (Coroutine.IsUnwinding) return default!;
            }
            _isFull.Value = false;
            return _datum.Value;
        }
    }
}
