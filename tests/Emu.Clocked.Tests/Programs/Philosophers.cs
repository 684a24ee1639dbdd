using System;
using System.Threading;
using KiwiSystem;

class Philosopher
{
    readonly int id;
    readonly object left, right;
    public int Meals;

    public Philosopher(int id, object left, object right)
    {
        this.id = id;
        this.left = left;
        this.right = right;
    }

    public override string ToString() { return "Philosopher " + id; }

    public void Run()
    {
        while (true)
        {
            for (int i = 0; i <= id; i++) Kiwi.Pause();
            lock (left)
            {
                Kiwi.Pause();
                lock (right)
                {
                    Meals++;
                    Console.WriteLine("{0} eats meal {1}", this, Meals);
                    Kiwi.Pause();
                }
            }
        }
    }
}

class Table
{
    const int Seats = 4;

    [Kiwi.OutputWordPort("meals")] static int meals;

    [Kiwi.HardwareEntryPoint()]
    static void Main()
    {
        object[] forks = new object[Seats];
        for (int i = 0; i < Seats; i++) forks[i] = new object();
        Philosopher[] philosophers = new Philosopher[Seats];
        Thread[] threads = new Thread[Seats];
        for (int i = 0; i < Seats; i++)
        {
            object a = forks[i], b = forks[(i + 1) % Seats];
            philosophers[i] = i == Seats - 1 ? new Philosopher(i, b, a) : new Philosopher(i, a, b);
            threads[i] = new Thread(new ThreadStart(philosophers[i].Run));
            threads[i].Name = "philosopher " + i;
        }
        foreach (Thread thread in threads) thread.Start();
        while (true)
        {
            Kiwi.Pause();
            int sum = 0;
            foreach (Philosopher philosopher in philosophers) sum += philosopher.Meals;
            meals = sum;
        }
    }
}
