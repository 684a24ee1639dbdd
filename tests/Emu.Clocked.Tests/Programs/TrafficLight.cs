using System;
using KiwiSystem;

// A crossing with a button for walkers: states are an enumeration, times a table, names are printed.
class TrafficLight
{
    enum Light { Red, RedAmber, Green, Amber }
    enum Walk { Stop, Go, Flash }

    [Kiwi.InputBitPort("button")] static bool button;
    [Kiwi.InputBitPort("tick")] static bool tick;
    [Kiwi.OutputWordPort("cars")] static Light cars = Light.Red;
    [Kiwi.OutputWordPort("walkers")] static Walk walkers = Walk.Stop;
    [Kiwi.OutputWordPort("left")] static int left;
    static readonly int[] Durations = { 4, 1, 6, 2 };
    static bool wanted;

    static void Wait(int ticks)
    {
        left = ticks;
        do
        {
            Kiwi.Pause();
            wanted |= button;
            if (tick) left--;
        }
        while (left > 0);
    }

    static void Show(Light light)
    {
        if (cars != light) Console.WriteLine($"{cars} -> {light}");
        cars = light;
        Wait(Durations[(int)light]);
    }

    [Kiwi.HardwareEntryPoint]
    public static void Main()
    {
        Console.WriteLine("crossing with {0} states", Durations.Length);
        while (true)
        {
            Show(Light.RedAmber);
            Show(Light.Green);
            while (!wanted) Wait(1);
            Show(Light.Amber);
            Show(Light.Red);
            wanted = false;
            walkers = Walk.Go;
            Wait(3);
            walkers = Walk.Flash;
            Wait(2);
            walkers = Walk.Stop;
        }
    }
}
