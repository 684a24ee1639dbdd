using System; using KiwiSystem;
public static class Debouncer
{
    class Button
    {
        public byte count; public bool state, pressed;
        public void sample(bool raw)
        {
            pressed = false;
            if (raw == state) { count = 0; return; }
            if (++count == LIMIT) { state = raw; count = 0; pressed = raw; }
        }
    }
    const byte LIMIT = 10;
    [Kiwi.InputBitPort("up")] static bool up;
    [Kiwi.InputBitPort("down")] static bool down;
    [Kiwi.OutputWordPort(15, 0, "value")] static short value;
    [Kiwi.OutputBitPort("changed")] static bool changed;
    static Button b_up = new Button(), b_down = new Button();
    enum Mode { Idle, Rising, Falling, Both }
    static Mode mode = Mode.Idle;

    [Kiwi.HardwareEntryPoint()]
    public static void Main()
    {
        while (true)
        {
            Kiwi.Pause();
            b_up.sample(up); b_down.sample(down);
            changed = b_up.pressed || b_down.pressed;
            if (b_up.pressed) value++;
            if (b_down.pressed) value--;
            Mode next = b_up.state ? (b_down.state ? Mode.Both : Mode.Rising) : b_down.state ? Mode.Falling : Mode.Idle;
            if (next != mode) Console.WriteLine("{0} -> {1} at {2}", mode, next, value);
            mode = next;
        }
    }
}
