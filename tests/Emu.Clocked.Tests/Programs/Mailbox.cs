using System;
using System.Threading;
using KiwiSystem;

public class Mailbox
{
    [Kiwi.InputWordPort("operand")] static int operand;
    [Kiwi.InputBitPort("go")] static bool go;
    [Kiwi.OutputWordPort("total")] static int total;
    const int Size = 12;
    static int[] data = new int[Size];
    static volatile bool leaving = false;
    static volatile int sum;
    static volatile char command = 'x';

    static void worker()
    {
        while (!leaving)
        {
            while (command == 'I' && !leaving) Kiwi.Pause();
            if (command == 'U')
            {
                for (int i = 0; i < Size; i++) { Kiwi.Pause(); data[i] = i + sum; }
            }
            else if (command == 'S')
            {
                sum = 0;
                for (int i = 0; i < Size; i++) { Kiwi.Pause(); sum += data[i]; }
            }
            else if (command == 'P')
            {
                Console.WriteLine("sum {0}", sum);
                Kiwi.Pause();
            }
            command = 'I';
        }
    }

    static void ask(char what)
    {
        command = what;
        Kiwi.Pause();
        while (command != 'I') Kiwi.Pause();
    }

    [Kiwi.HardwareEntryPoint()]
    public static void Main()
    {
        Thread thread = new Thread(new ThreadStart(worker));
        thread.Start();
        int[] first = new int[] { 12, 13, 14 };
        int[] second = new int[] { 212, 213, 214, 1000 };
        int[][] rows = new int[3][];
        rows[0] = first;
        rows[1] = second;
        rows[2] = first;
        Kiwi.Pause();
        while (command != 'I') Kiwi.Pause();
        for (int turn = 0; turn < 6; turn++)
        {
            while (!go) Kiwi.Pause();
            ask('U');
            ask('S');
            ask('P');
            total += sum + rows[turn % 3][1] + operand;
        }
        leaving = true;
        Console.WriteLine("done {0}", total);
    }
}
